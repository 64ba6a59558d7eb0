package strategies_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
)

// TestLocksPerCommand: a command that meets nobody takes exactly the locks that
// scsi-midlayer.md 1.11 counts for 2.6.35, and what the others are about.
func TestLocksPerCommand(t *testing.T) {
	kernel := map[string]int64{"host_lock": 4, "queue_lock": 7, "list_lock": 2, "free_list_lock": 1}
	want := map[string]map[string]int64{
		"host-lock": kernel, "unlocked-qcmds": kernel, "per-queue": {"queue_lock": 5}, "ring": {},
	}
	each(t, func(t *testing.T, strategy string) {
		const n = 100
		script = &scripted{latency: 10 * time.Microsecond}
		m, sys := setup{strategy: strategy, driver: "scripted"}.make(t)
		m.Go("one", 0, false, func(th *machine.Thread) {
			iss := sys.NewIssuer(th)
			th.Sleep(2 * time.Millisecond)
			for range n {
				_ = iss.Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
				th.Sleep(20 * time.Microsecond)
			}
			for !m.Stopping() {
				th.Sleep(time.Millisecond)
			}
		})
		a, err := m.Run(context.Background(), machine.Course{Warmup: time.Millisecond, Duration: 20 * time.Millisecond})
		require.NoError(t, err)
		require.EqualValues(t, n, closed(t, sys).Completed)
		got := map[string]int64{}
		for _, l := range a.Locks {
			require.Zero(t, l.Acquisitions%n, l.Class)
			got[l.Class] = l.Acquisitions / n
		}
		require.Equal(t, want[strategy], got)
	})
}

// TestOperationsPerCommand reports how many operations a command is for the
// machine; more of them make every simulation slower.
func TestOperationsPerCommand(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		const n = 200
		m := newChaos(1, 1)
		sys, err := dispatch.New(m, dispatch.Config{Strategy: strategy, Driver: "mptsas"})
		require.NoError(t, err)
		m.Go("one", 0, false, func(th *machine.Thread) {
			iss := sys.NewIssuer(th)
			for range n {
				_ = iss.Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
			}
		})
		_, err = m.Run(context.Background(), machine.Course{})
		require.NoError(t, err)
		total := 0
		for _, k := range m.ops {
			total += k
		}
		t.Logf("%d operations a command: %d on lines, %d locks and as many unlocks, %d works, %d others", total/n, m.ops[0]/n, m.ops[1]/n, m.ops[4]/n, m.ops[5]/n)
		require.Less(t, total/n, 130)
	})
}
