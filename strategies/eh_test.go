package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
)

// ehSet turns error handling on with times in milliseconds: a timeout of 30 ms,
// settling and probes of 10 ms.
func ehSet(more set) set {
	s := set{"midlayer.error_handling": "true", "midlayer.eh_scale": "0.001"}
	for k, v := range more {
		s[k] = v
	}
	return s
}

// ehFlow is flow with the failing driver.
func ehFlow(t *testing.T, s setup, story func(*testing.T, *machine.Thread, *dispatch.System, *dispatch.Issuer)) *dispatch.System {
	t.Helper()
	s.driver, s.set = "failing", ehSet(s.set)
	m, sys := s.make(t)
	ended := false
	m.Go("story", 0, false, func(th *machine.Thread) {
		story(t, th, sys, sys.NewIssuer(th))
		ended = true
	})
	run(t, m, sys, 20*time.Millisecond)
	require.True(t, ended, "the story did not end")
	closed(t, sys)
	return sys
}

// firsts loses the first n commands.
func firsts(n int) func(*dispatch.Command) bool {
	return func(*dispatch.Command) bool { n--; return n >= 0 }
}

// TestTimeoutAborted: a command that is never answered is aborted, tried again,
// and succeeds; nothing harsher is done.
func TestTimeoutAborted(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		ehDriver = &ehScript{latency: 100 * time.Microsecond, lose: firsts(1), abort: true}
		sys := ehFlow(t, setup{strategy: strategy}, func(t *testing.T, th *machine.Thread, sys *dispatch.System, iss *dispatch.Issuer) {
			began := th.Now()
			require.NoError(t, iss.Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil))
			require.InDelta(t, 30.2, (th.Now()-began).Seconds()*1000, 1)
			require.Equal(t, dispatch.HostRunning, sys.Hosts()[0].State(th))
		})
		c := sys.ErrorCounts()
		require.Equal(t, dispatch.ErrorCounts{TimedOut: 1, Retried: 1, Recoveries: 1, Stages: c.Stages}, c)
		require.EqualValues(t, 1, c.Stages[dispatch.CommandAbort])
		require.Empty(t, ehDriver.resets)
	})
}

// TestResetAfterFailedAbort: each level is tried in turn until one works.
func TestResetAfterFailedAbort(t *testing.T) {
	for level := dispatch.DeviceReset; level <= dispatch.HostReset; level++ {
		t.Run(level.String(), func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				ehDriver = &ehScript{latency: 100 * time.Microsecond, lose: firsts(2), reset: level}
				sys := ehFlow(t, setup{strategy: strategy, luns: 2}, func(t *testing.T, th *machine.Thread, sys *dispatch.System, iss *dispatch.Issuer) {
					a := iss.Request(sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
					b := iss.Request(sys.Devices()[0], dispatch.Write, 8, 8, 1, nil)
					iss.Submit(th, a)
					iss.Submit(th, b)
					require.NoError(t, iss.Wait(th, a))
					require.NoError(t, iss.Wait(th, b))
				})
				require.Equal(t, 2, ehDriver.aborts)
				require.Len(t, ehDriver.resets, int(level), "once each, since both are of one device")
				require.EqualValues(t, 2, sys.ErrorCounts().Retried)
			})
		})
	}
}

// TestEverythingFails: the device goes offline, its commands fail, those that
// wait for it too, and its neighbour works on.
func TestEverythingFails(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		ehDriver = &ehScript{latency: 100 * time.Microsecond}
		ehDriver.lose = func(cmd *dispatch.Command) bool { return cmd.Device().LUN == 0 }
		ehDriver.probe = func(d *dispatch.Device) bool { return d.LUN != 0 }
		sys := ehFlow(t, setup{strategy: strategy, luns: 2}, func(t *testing.T, th *machine.Thread, sys *dispatch.System, iss *dispatch.Issuer) {
			var rqs []*dispatch.Request
			for i := range 7 { // more than the queue depth
				rq := iss.Request(sys.Devices()[0], dispatch.Write, int64(8*i), 8, 1, nil)
				rqs = append(rqs, rq)
				iss.Submit(th, rq)
			}
			other := iss.Request(sys.Devices()[1], dispatch.Write, 0, 8, 1, nil)
			iss.Submit(th, other)
			require.NoError(t, iss.Wait(th, other))
			for i, rq := range rqs {
				want := "host byte 0x03"
				if i >= 4 {
					want = "host byte 0x01"
				}
				require.ErrorContains(t, iss.Wait(th, rq), want)
			}
			require.Equal(t, dispatch.DeviceOffline, sys.Devices()[0].State(th))
			require.NoError(t, iss.Do(th, sys.Devices()[1], dispatch.Write, 0, 8, 1, nil))
		})
		c := sys.ErrorCounts()
		require.EqualValues(t, 1, c.Offlined)
		require.EqualValues(t, 4, c.GaveUp)
	})
}

// TestRetryLimit: a command that is lost every time is tried as often as it
// may be, and then fails.
func TestRetryLimit(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		ehDriver = &ehScript{latency: 100 * time.Microsecond, lose: firsts(1000), abort: true}
		sys := ehFlow(t, setup{strategy: strategy, set: set{"midlayer.retries": "3"}}, func(t *testing.T, th *machine.Thread, sys *dispatch.System, iss *dispatch.Issuer) {
			require.ErrorContains(t, iss.Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil), "host byte 0x03")
		})
		require.EqualValues(t, 3, sys.Ledger().Requeued)
		require.EqualValues(t, 4, sys.ErrorCounts().Recoveries)
	})
}

// TestRecoveryRestartsAll: one lost command holds the host while the queues of
// eight LUNs fill; all are restarted after.
func TestRecoveryRestartsAll(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		ehDriver = &ehScript{latency: 100 * time.Microsecond, lose: firsts(1), abort: true}
		m, sys := setup{strategy: strategy, driver: "failing", luns: 8, set: ehSet(set{"host.can_queue": "2"})}.make(t)
		h := sys.Hosts()[0]
		done, waited := 0, 0
		m.Go("first", 0, false, func(th *machine.Thread) {
			require.NoError(t, sys.NewIssuer(th).Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil))
		})
		for i, dev := range sys.Devices() {
			m.Go("waiter-"+string(rune('a'+i)), i%m.Cores(), false, func(th *machine.Thread) {
				iss := sys.NewIssuer(th)
				th.Sleep(29900 * time.Microsecond)
				for th.Now() < 30*time.Millisecond {
					require.NoError(t, iss.Do(th, dev, dispatch.Write, 8, 8, 1, nil))
				}
				held := h.State(th).InRecovery()
				require.NoError(t, iss.Do(th, dev, dispatch.Write, 8, 8, 1, nil))
				if held {
					waited++
				}
				done++
			})
		}
		run(t, m, sys, 20*time.Millisecond)
		require.Equal(t, 8, done)
		require.Positive(t, waited)
		require.EqualValues(t, 1, sys.ErrorCounts().Recoveries)
		closed(t, sys)
	})
}

// TestLateCompletion: a device that answers after the timeout changes nothing:
// the command is tried again.
func TestLateCompletion(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		ehDriver = &ehScript{latency: 40 * time.Millisecond}
		sys := ehFlow(t, setup{strategy: strategy, luns: 2, set: set{"midlayer.retries": "1"}}, func(t *testing.T, th *machine.Thread, sys *dispatch.System, iss *dispatch.Issuer) {
			// The second keeps the host from recovering until the first has come back;
			// the wait after the reset of the host is long enough for its own answer.
			a := iss.Request(sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
			iss.Submit(th, a)
			th.Sleep(20 * time.Millisecond)
			b := iss.Request(sys.Devices()[1], dispatch.Write, 0, 8, 1, nil)
			iss.Submit(th, b)
			th.Sleep(25 * time.Millisecond)
			ehDriver.latency = 100 * time.Microsecond
			require.NoError(t, iss.Wait(th, a))
			require.NoError(t, iss.Wait(th, b))
		})
		require.EqualValues(t, 2, sys.ErrorCounts().Late)
		require.EqualValues(t, 2, sys.ErrorCounts().TimedOut)
	})
}

// TestTimersAreOffByDefault: without being asked for, nothing times out.
func TestTimersAreOffByDefault(t *testing.T) {
	ehDriver = &ehScript{latency: 40 * time.Second}
	m, sys := setup{strategy: "ring", driver: "failing"}.make(t)
	m.Go("story", 0, false, func(th *machine.Thread) {
		iss := sys.NewIssuer(th)
		require.NoError(t, iss.Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil))
	})
	_, err := m.Run(t.Context(), machine.Plan{Duration: time.Second, Begin: sys.BeginWindow, End: sys.EndWindow, Drain: 60 * time.Second})
	require.NoError(t, err)
	require.Zero(t, sys.ErrorCounts())
}
