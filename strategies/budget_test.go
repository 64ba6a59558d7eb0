package strategies_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/explore"
	"hostlock/strategies"
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

// TestOperationsPerCommand bounds how many operations a command is for the
// machine; more of them make every simulation slower.
func TestOperationsPerCommand(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		const n = 200
		r, err := explore.Run(context.Background(), explore.Config{Cores: 1, Schedules: 1, Seed: 1, MaxSteps: 1 << 20}, func(m *explore.Machine) (func() error, error) {
			sys, err := dispatch.New(m, dispatch.Config{Strategy: strategy, Driver: "mptsas"})
			m.Go("one", 0, false, func(th *machine.Thread) {
				iss := sys.NewIssuer(th)
				for range n {
					_ = iss.Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
				}
			})
			return func() error { return nil }, err
		})
		require.NoError(t, err)
		require.Nil(t, r.Failure)
		t.Logf("%d operations a command", r.Steps/n)
		require.Less(t, r.Steps/n, int64(130))
	})
}

// mine is a limit of a user's own, on a line of its own class.
type mine struct{ *strategies.Counter }

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name: "mine", About: "for tests: per-queue with a limit from elsewhere", Recovers: true,
		New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			return strategies.NewPerQueue(h, mine{strategies.NewCounter("mine", h.Template.CanQueue)}), nil
		},
	})
}

// TestALimitPaysForWhatItWrote: a limit from elsewhere moves the lines that the
// shipped one moves, as often, and no other, with error handling and without, and
// where the driver has lowered can_queue.
func TestALimitPaysForWhatItWrote(t *testing.T) {
	virtualOnly(t)
	transfers := func(strategy string, values set) map[string]int64 {
		m, sys := setup{strategy: strategy, driver: "megasas", cores: 8, luns: 4, set: values}.make(t)
		writers(m, sys, 32, 5*time.Microsecond)
		a := run(t, m, sys, 20*time.Millisecond)
		closed(t, sys)
		got := map[string]int64{}
		for _, s := range a.Samples {
			if s.What == machine.LineTransfer {
				got[s.Class] += s.Count
			}
		}
		return got
	}
	for _, values := range []set{{}, ehSet(nil), ehSet(set{"megasas.drop_rate": "0.01", "host.can_queue": "16"})} {
		own, shipped := transfers("mine", values), transfers("per-queue", values)
		require.Positive(t, own["mine"])
		own["host_busy"] = own["mine"]
		delete(own, "mine")
		require.Equal(t, shipped, own)
	}
}
