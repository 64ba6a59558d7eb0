package launch

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/record"
)

// knownPrograms runs the twelve programs of examples/record, which say what
// their locks do. It needs a quiet computer and a minute: `make record-known`.
const knownPrograms = "HOSTLOCK_KNOWN"

func TestKnownPrograms(t *testing.T) {
	if os.Getenv(knownPrograms) == "" {
		t.Skip("timing: make record-known runs it")
	}
	t.Cleanup(func() { // what the quota's program cannot remove while it is in it
		for _, root := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/cpu"} {
			left, _ := filepath.Glob(filepath.Join(root, "hostlock-quota-*"))
			for _, dir := range left {
				_ = os.Remove(dir)
			}
		}
	})
	t.Chdir("../../examples/record")
	dirs, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	require.Len(t, dirs, 12)
	for _, dir := range dirs {
		name := filepath.Dir(dir)
		t.Run(name, func(t *testing.T) {
			bin := filepath.Join(t.TempDir(), name)
			c, err := Prepare([]string{"go", "build", "-o", bin, "./" + name})
			require.NoError(t, err)
			out := new(bytes.Buffer)
			c.Stdout, c.Stderr = out, os.Stderr
			require.NoError(t, c.Build(t.Context()))
			c.Args = []string{bin}
			var run *Run
			quietly(t, func() time.Duration {
				out.Reset()
				run, err = c.Once(t.Context(), t.TempDir(), nil, "")
				require.NoError(t, err)
				return run.CPU
			})
			var exit *exec.ExitError
			if errors.As(run.Err, &exit) && exit.ExitCode() == 3 {
				t.Skip("no control group can be made here")
			}
			require.NoError(t, run.Err)
			var truth struct {
				Site         string
				HoldNs       float64 `json:"hold_ns"`
				Utilization  float64 `json:"utilization_pct"`
				Acquisitions uint64
				MutexWaitS   float64 `json:"mutex_wait_s"`
				Note         string
			}
			require.NoError(t, json.Unmarshal(out.Bytes(), &truth))
			r := record.Build(run.Processes)
			r.Note()
			l := at(t, r, truth.Site)
			var waits float64
			for _, l := range r.Locks {
				waits += l.WaitBlockedNs
			}
			t.Logf("hold %.0f ns (error %.1f %%), truth %.0f (%+.1f %%); utilisation %.2f %%, truth %.2f (%+.1f %%); blocked %.3f s, runtime %.3f s; same P %v, other %v; split %v %v; notes %q", l.Hold.Mean, *l.HoldErrorPct, truth.HoldNs, 100*(l.Hold.Mean/truth.HoldNs-1),
				*l.HottestUtilizationPct, truth.Utilization, 100*(*l.HottestUtilizationPct/truth.Utilization-1), waits/1e9, truth.MutexWaitS, value(l.HoldSameP), value(l.HoldOtherP), l.HoldSplitPct, l.ParkedPct, l.Notes)
			assert.Equal(t, truth.Acquisitions, l.Acquisitions)
			within := 0.1
			if truth.HoldNs < 1000 {
				within = 0.25
			}
			assert.LessOrEqual(t, math.Abs(l.Hold.Mean/truth.HoldNs-1), within, "mean hold")
			assert.LessOrEqual(t, math.Abs(*l.HottestUtilizationPct/truth.Utilization-1), within, "utilisation")
			if name == "quota" {
				return // lab reads the quota of its own group, and the program made another
			}
			assert.Contains(t, strings.Join(l.Notes, "; "), truth.Note)
		})
	}
}

func value(v *float64) float64 {
	if v == nil {
		return 0
	}
	return math.Round(*v)
}
