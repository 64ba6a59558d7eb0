//go:build unix

package lab

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/files"
)

// A pipe that nobody writes to ends with the first signal, since reading it
// never ends.
func TestAPipeWithoutAWriterEnds(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	var stdout, stderr bytes.Buffer
	a := newApp(&stdout, &stderr)
	signals := make(chan os.Signal, 1)
	a.signals = signals
	left := make(chan int, 1)
	a.exit = func(status int) { left <- status }
	ended := make(chan int, 1)
	go func() { ended <- a.main([]string{"run", "--experiment", pipe}) }()
	require.Eventually(t, files.Reading, time.Minute, time.Millisecond)
	signals <- syscall.SIGTERM
	assert.Equal(t, exitInterrupted, <-left)
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // lets the reader go
	require.NoError(t, err)
	require.NoError(t, w.Close())
	<-ended
}
