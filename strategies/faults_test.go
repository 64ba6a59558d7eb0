package strategies_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/machine"
	"hostlock/machine/param"
)

// recoverable are the drivers with all faults.
var recoverable = []string{"mptsas", "megasas", "lpfc", "own", "null", "ramdisk", "tcm_loop", "mac_scsi", "atari_scsi", "mac_scsi_2635"}

// under is a driver's parameters by their short names, with error handling on.
func under(driver string, faults set, more set) set {
	s := ehSet(more)
	if d, err := dispatch.LookupDriver(driver); err == nil && slices.ContainsFunc(d.Params, func(p param.Spec) bool { return p.Name == driver+".byte" }) {
		s[driver+".target"], s[driver+".byte"] = "50us", "1ns" // a bus that is fast enough for faults to be many
	}
	if driver == "lpfc" {
		s["lpfc.array_write"] = "500us" // or the handler's own commands wait behind others for too long
	}
	for k, v := range faults {
		s[driver+"."+k] = v
	}
	return s
}

// refused leaves out a driver that relies on the host lock where nobody has it.
func refused(t *testing.T, driver, strategy string) {
	t.Helper()
	if d, err := dispatch.LookupDriver(driver); err == nil && d.Template.NeedsHostLock && dropsLock(t, strategy) {
		t.Skip("refused: its queuecommand relies on the host lock")
	}
}

// TestEveryFaultOfEveryDriver: commands dropped, answered after the timeout,
// completed twice, refused and failed at random, and tables without memory.
// The ledger closes, limits hold, and the hosts work to the end.
func TestEveryFaultOfEveryDriver(t *testing.T) {
	virtualOnly(t)
	for _, driver := range recoverable {
		t.Run(driver, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				refused(t, driver, strategy)
				m, sys := setup{strategy: strategy, driver: driver, targets: 2, luns: 2, set: under(driver, set{
					"drop_rate": "0.002", "delay_rate": "0.002", "delay": "60ms", "duplicate_rate": "0.05",
					"host_busy_rate": "0.01", "device_busy_rate": "0.01", "target_busy_rate": "0.01",
					"retry_rate": "0.01", "queue_full_rate": "0.01", "error_rate": "0.01",
					"sense_rate": "0.02",
				}, set{"midlayer.sg_alloc_failures": "0.05", "midlayer.track_queue_depth": "true", "midlayer.ramp_up_period": "1ms",
					"host.can_queue": "12"})}.make(t)
				writers(m, sys, 16, 20*time.Microsecond)
				run(t, m, sys, time.Second)
				l := closed(t, sys)
				c := sys.ErrorCounts()
				require.Positive(t, c.TimedOut)
				require.Positive(t, c.Recoveries)
				require.Positive(t, c.Injected)
				require.Positive(t, c.Senses)
				require.Greater(t, l.Completed, 20*l.Failed, "%+v %+v", l, c)
				require.Zero(t, c.Offlined)
			})
		})
	}
}

// TestUnitsAreStarted: a device that stops is started by the error handler,
// where that may, and then no command fails; where it may not, all of its
// commands do, from then on, and nobody recovers anything.
func TestUnitsAreStarted(t *testing.T) {
	virtualOnly(t)
	for _, driver := range recoverable {
		t.Run(driver, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				refused(t, driver, strategy)
				for _, allowed := range []string{"true", "false"} {
					m, sys := setup{strategy: strategy, driver: driver, targets: 2, luns: 2, set: under(driver,
						set{"not_ready_rate": "0.02"}, set{"midlayer.allow_restart": allowed, "host.can_queue": "12"})}.make(t)
					writers(m, sys, 16, 20*time.Microsecond)
					run(t, m, sys, 60*time.Millisecond)
					l := closed(t, sys)
					c := sys.ErrorCounts()
					require.Zero(t, c.Offlined)
					require.Zero(t, c.TimedOut)
					if allowed == "true" {
						require.Positive(t, c.Starts)
						require.Zero(t, l.Failed)
						continue
					}
					require.Zero(t, c.Recoveries)
					require.Positive(t, l.Failed)
				}
			})
		})
	}
}

// TestMegasasThrottles: commands that are answered after their timeout lower
// can_queue and get their time once more, so that nothing is aborted; later it is
// raised again. No limit is exceeded meanwhile.
func TestMegasasThrottles(t *testing.T) {
	virtualOnly(t)
	each(t, func(t *testing.T, strategy string) {
		m, sys := setup{strategy: strategy, driver: "megasas", targets: 2, luns: 2, set: under("megasas", set{
			"delay_rate": "0.002", "delay": "45ms", "host_command": "5us",
		}, set{"host.can_queue": "40", "host.cmd_per_lun": "20"})}.make(t)
		writers(m, sys, 64, 20*time.Microsecond)
		h := sys.Hosts()[0]
		moves, last := 0, h.CanQueue()
		m.Go("watcher", 3, false, func(th *machine.Thread) {
			for !m.Stopping() {
				if n := h.CanQueue(); n != last {
					require.Contains(t, []int{16, 40}, n)
					moves, last = moves+1, n
				}
				th.Sleep(100 * time.Microsecond)
			}
		})
		run(t, m, sys, 300*time.Millisecond)
		l := closed(t, sys)
		c := sys.ErrorCounts()
		require.Zero(t, l.Failed)
		require.Positive(t, c.Extended)
		require.Zero(t, c.TimedOut)
		require.Greater(t, moves, 1, "lowered and raised")
	})
}

// TestMildestMeasure: recovery goes as far as the driver needs it to, and no
// further; where nothing helps, devices go offline and their commands fail.
func TestMildestMeasure(t *testing.T) {
	virtualOnly(t)
	for _, by := range []string{"abort", "device", "target", "bus", "host", "none"} {
		t.Run(by, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				m, sys := setup{strategy: strategy, targets: 2, luns: 2, set: under("mptsas", set{"drop_rate": "0.003", "recovers_by": by}, nil)}.make(t)
				writers(m, sys, 8, 20*time.Microsecond)
				run(t, m, sys, 300*time.Millisecond)
				l := closed(t, sys)
				c := sys.ErrorCounts()
				require.Positive(t, c.Stages[eh.CommandAbort])
				if by == "none" {
					require.Positive(t, c.Offlined)
					require.Equal(t, c.TimedOut, c.GaveUp)
					return
				}
				require.Zero(t, l.Failed)
				require.Zero(t, c.Offlined)
				for level := eh.DeviceReset; level <= eh.HostReset; level++ {
					reached := false
					for l := level; l <= eh.HostReset; l++ {
						reached = reached || l.String() == by
					}
					require.Equal(t, reached, c.Stages[level] > 0, "%v", level)
				}
			})
		})
	}
}

// TestFirmwareHang: a firmware that stops answering takes every command of the
// host with it, until the host is reset.
func TestFirmwareHang(t *testing.T) {
	virtualOnly(t)
	each(t, func(t *testing.T, strategy string) {
		m, sys := setup{strategy: strategy, targets: 2, luns: 4, set: under("mptsas", set{"hang_at": "20ms", "hang_for": "10s"}, nil)}.make(t)
		writers(m, sys, 24, 20*time.Microsecond)
		run(t, m, sys, 500*time.Millisecond)
		l := closed(t, sys)
		c := sys.ErrorCounts()
		require.Zero(t, l.Failed)
		require.EqualValues(t, 1, c.Recoveries)
		require.EqualValues(t, 1, c.Stages[eh.HostReset])
		require.GreaterOrEqual(t, c.TimedOut, int64(20))
		require.Equal(t, c.TimedOut, c.Retried)
	})
}

// outstanding adds threads that each keep many commands under way, and counts
// the most that were at the time of the removal.
func outstanding(m machine.Machine, sys *dispatch.System, threads, each int) {
	for i := range threads {
		m.Go("deep-"+string(rune('a'+i)), i%m.Cores(), false, func(t *machine.Thread) {
			iss := sys.NewIssuer(t)
			devs := sys.Devices()
			var rqs []*dispatch.Request
			for !m.Stopping() {
				for len(rqs) < each {
					rq := iss.Request(devs[(i+len(rqs))%len(devs)], dispatch.Write, t.Rand().Int64N(1<<20)*8, 8, 1, nil)
					iss.Submit(t, rq)
					rqs = append(rqs, rq)
				}
				_ = iss.Wait(t, rqs[0])
				rqs = rqs[1:]
				t.Work(time.Microsecond)
			}
			for _, rq := range rqs {
				_ = iss.Wait(t, rq)
			}
		})
	}
}

// TestHotRemoval: a device, or the host, goes away with 1000 commands
// outstanding. Those of what is gone fail, at the latest when their time is
// over, all others succeed, and none is lost.
func TestHotRemoval(t *testing.T) {
	virtualOnly(t)
	for _, what := range []string{"device", "host"} {
		t.Run(what, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				s := under("ramdisk", set{"device_latency": "2ms", "drop_rate": "0.001"}, set{"host.can_queue": "512"})
				if what == "device" {
					s["host.remove_device_at"] = "20ms"
				} else {
					s["host.remove_at"] = "20ms"
				}
				m, sys := setup{strategy: strategy, driver: "ramdisk", targets: 2, luns: 2, set: s}.make(t)
				outstanding(m, sys, 10, 100)
				run(t, m, sys, 100*time.Millisecond)
				l := closed(t, sys)
				require.Positive(t, l.Failed)
				require.Positive(t, l.Completed)
			})
		})
	}
}
