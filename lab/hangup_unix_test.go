//go:build unix

package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A terminal that goes away keeps what was measured, as Ctrl-C does.
func TestAHangupKeepsTheResult(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("this process ignores hang-ups, as nohup has it")
	}
	own := make(chan os.Signal, 8) // one that comes early or late must not end the tests
	signal.Notify(own, syscall.SIGHUP)
	defer signal.Stop(own)
	time.AfterFunc(time.Second, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGHUP) })
	var stdout, stderr bytes.Buffer
	status := run([]string{"run", "--machine", "sim", "--cores", "8", "--threads", "16", "--duration", "3000s", "--format", "json"}, &stdout, &stderr)
	require.Equal(t, exitInterrupted, status, stderr.String())
	var r struct {
		Partial bool
		IOPS    float64
	}
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &r))
	require.True(t, r.Partial)
	require.Positive(t, r.IOPS)
}
