package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

// flow runs one thread's story on a simulated machine with the scripted
// driver. The story ends before the window does.
func flow(t *testing.T, s setup, story func(*testing.T, *machine.Thread, *dispatch.System, *dispatch.Issuer)) *dispatch.System {
	t.Helper()
	s.driver = "scripted"
	m, sys := s.make(t)
	m.Go("story", 0, false, func(th *machine.Thread) {
		story(t, th, sys, sys.NewIssuer(th))
		for !m.Stopping() {
			th.Sleep(time.Millisecond)
		}
	})
	run(t, m, sys, 200*time.Millisecond)
	closed(t, sys)
	return sys
}

// TestStarvedRestart: devices that were refused for lack of host slots are
// restarted by another device's completion, in the order in which they
// starved, and not by the plug.
func TestStarvedRestart(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		script = &scripted{latency: 200 * time.Microsecond}
		flow(t, setup{strategy: strategy, targets: 4, set: set{"host.can_queue": "1"}}, func(t *testing.T, th *machine.Thread, sys *dispatch.System, iss *dispatch.Issuer) {
			var rqs []*dispatch.Request
			for i, dev := range sys.Devices() {
				rq := iss.Request(dev, dispatch.Write, int64(i), 1, 1, nil)
				rqs = append(rqs, rq)
				iss.Submit(th, rq)
			}
			for _, rq := range rqs {
				require.NoError(t, iss.Wait(th, rq))
			}
		})
		require.Equal(t, []int64{0, 1, 2, 3}, script.seen)
		for i := 1; i < len(script.when); i++ {
			require.Less(t, script.when[i]-script.when[i-1], time.Millisecond, "the plug is 3 ms")
		}
	})
}

// TestLimitsAreReachedAndHeld: each limit is used to the full, never exceeded.
func TestLimitsAreReachedAndHeld(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		for _, c := range []struct {
			name string
			set  set
			what string
			max  int
		}{
			{"can_queue", set{"host.can_queue": "5"}, "host 0 can_queue", 5},
			{"queue_depth", set{"host.cmd_per_lun": "2"}, "device 0:0:0:0 queue_depth", 2},
			{"target", set{"host.target_can_queue": "3"}, "target 0:0 can_queue", 3},
		} {
			t.Run(c.name, func(t *testing.T) {
				m, sys := setup{strategy: strategy, driver: "ramdisk", cores: 8, targets: 2, luns: 2, set: c.set}.make(t)
				writers(m, sys, 32, time.Microsecond)
				run(t, m, sys, 10*time.Millisecond)
				closed(t, sys)
				for _, l := range sys.Limits() {
					if l.What == c.what {
						require.Equal(t, c.max, l.Max)
					}
				}
			})
		}
	})
}

// TestDispositions: what the device says decides whether a command is tried
// again, and how often.
func TestDispositions(t *testing.T) {
	for _, c := range []struct {
		name     string
		result   scsi.Result
		times    int // that the result is given, before success
		requeued int
		ok       bool
	}{
		{"soft error, tried again", scsi.Result{Host: scsi.DidSoftError}, 2, 2, true},
		{"soft error, once too often", scsi.Result{Host: scsi.DidSoftError}, 99, 5, false},
		{"queue full", scsi.Result{Status: scsi.TaskSetFull}, 1, 1, true},
		{"requeue", scsi.Result{Host: scsi.DidRequeue}, 1, 1, true},
		{"unit attention", scsi.Result{Status: scsi.CheckCondition, Sense: scsi.UnitAttention}, 1, 1, true},
		{"medium error", scsi.Result{Status: scsi.CheckCondition, Sense: scsi.MediumError}, 1, 0, false},
		{"recovered error", scsi.Result{Status: scsi.CheckCondition, Sense: scsi.RecoveredError}, 1, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				n := 0
				script = &scripted{latency: 10 * time.Microsecond, result: func(*dispatch.Command) scsi.Result {
					if n++; n <= c.times {
						return c.result
					}
					return scsi.Result{}
				}}
				sys := flow(t, setup{strategy: strategy}, func(t *testing.T, th *machine.Thread, sys *dispatch.System, iss *dispatch.Issuer) {
					err := iss.Do(th, sys.Devices()[0], dispatch.Read, 0, 8, 1, nil)
					require.Equal(t, c.ok, err == nil, "%v", err)
				})
				require.EqualValues(t, c.requeued, sys.Ledger().Requeued)
			})
		})
	}
}

func TestRefusedRequests(t *testing.T) {
	script = &scripted{}
	flow(t, setup{strategy: "ring"}, func(t *testing.T, th *machine.Thread, sys *dispatch.System, iss *dispatch.Issuer) {
		d := sys.Devices()[0]
		require.ErrorIs(t, iss.Do(th, d, dispatch.Write, 0, 65, 1, nil), dispatch.ErrTooLarge)
		require.ErrorIs(t, iss.Do(th, d, dispatch.Write, 0, 64, 5, nil), dispatch.ErrTooLarge)
		require.ErrorIs(t, iss.Do(th, d, dispatch.Write, d.Capacity-7, 8, 1, nil), dispatch.ErrBeyondEnd)
		require.NoError(t, iss.Do(th, d, dispatch.Flush, 0, 0, 0, nil))
	})
}

// TestHostLockNeeded: a driver that relies on the host lock has it, under
// every strategy, and then the patch gains nothing.
func TestHostLockNeeded(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		inside := 0
		script = &scripted{latency: 10 * time.Microsecond}
		script.answer = func(_ int, _ *dispatch.Command) dispatch.Code {
			inside++
			require.Equal(t, 1, inside, "queuecommand runs twice at a time")
			inside--
			return dispatch.Accepted
		}
		m, sys := setup{strategy: strategy, driver: "scripted", cores: 8, targets: 4, set: set{"host.needs_host_lock": "true"}}.make(t)
		writers(m, sys, 16, time.Microsecond)
		a := run(t, m, sys, 5*time.Millisecond)
		closed(t, sys)
		found := false
		for _, l := range a.Locks {
			found = found || l.Class == "host_lock"
		}
		require.True(t, found)
	})
}
