package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
)

// TestEveryDriverUnderEveryStrategy: whatever may run together keeps its
// ledger closed and its limits, at depths above and below what the driver
// takes, with refusals and failures among the answers.
func TestEveryDriverUnderEveryStrategy(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time, in which the race detector can see nothing")
	}
	for _, d := range dispatch.Drivers() {
		if d.Name == "scripted" || d.Name == "story" || d.Name == "verify" {
			continue // drivers of tests
		}
		t.Run(d.Name, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				if d.Template.NeedsHostLock && dropsLock(t, strategy) {
					t.Skip("refused: its queuecommand relies on the host lock")
				}
				for _, s := range []set{
					{},
					{"host.can_queue": "2", "host.cmd_per_lun": "2"},
					{d.Name + ".host_busy_rate": "0.05", d.Name + ".device_busy_rate": "0.05", d.Name + ".retry_rate": "0.05", d.Name + ".queue_full_rate": "0.02"},
				} {
					m, sys := setup{strategy: strategy, driver: d.Name, targets: 3, seed: 3, set: s}.make(t)
					writers(m, sys, 12, 20*time.Microsecond)
					run(t, m, sys, 60*time.Millisecond)
					l := closed(t, sys)
					require.Positive(t, l.Completed, "%v", s)
				}
			})
		})
	}
}

// TestTablesRunOut: where no memory is left for scatter/gather tables requests
// wait their turn, and none is lost.
func TestTablesRunOut(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		m, sys := setup{strategy: strategy, targets: 2, seed: 5, set: set{
			"midlayer.sg": "pools", "midlayer.sg_alloc_failures": "0.5", "midlayer.sg_reserve": "1",
		}}.make(t)
		for i := range 8 {
			m.Go("writer", i%4, false, func(th *machine.Thread) {
				iss := sys.NewIssuer(th)
				for !m.Stopping() {
					_ = iss.Do(th, sys.Devices()[i%2], dispatch.Write, int64(i)*1024, 800, 100, nil)
				}
			})
		}
		run(t, m, sys, 200*time.Millisecond)
		closed(t, sys)
		pools, deferred := sys.SGPools()
		require.Positive(t, deferred)
		require.Len(t, pools, 5, "8 to 128 entries")
		require.Positive(t, pools[4].FromReserve)
		for _, p := range pools {
			require.EqualValues(t, 1, p.Reserve, "the reserve of %d entries is full again", p.Entries)
		}
	})
}

// TestOversizeRequests: more segments than any table is an error, and with
// 2.6.20's switch a livelock that the run can tell.
func TestOversizeRequests(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		for _, oversize := range []string{"error", "livelock"} {
			m, sys := setup{strategy: strategy, seed: 5, set: set{
				"midlayer.sg": "pools", "midlayer.oversize": oversize, "host.sg_tablesize": "128",
			}}.make(t)
			var err error
			m.Go("one", 0, false, func(th *machine.Thread) {
				iss := sys.NewIssuer(th)
				rq := iss.Request(sys.Devices()[0], dispatch.Write, 0, 1032, 129, nil)
				iss.Submit(th, rq)
				for !m.Stopping() {
					th.Sleep(time.Millisecond)
				}
				if iss.Done(rq) {
					err = iss.Wait(th, rq)
				}
			})
			run(t, m, sys, 50*time.Millisecond)
			if oversize == "error" {
				require.ErrorIs(t, err, dispatch.ErrTooLarge)
				require.Zero(t, sys.Livelocked())
				closed(t, sys)
				continue
			}
			require.NoError(t, err)
			require.Greater(t, sys.Livelocked(), int64(10), "tried every 3 ms")
			require.EqualValues(t, 1, sys.Ledger().Lost)
		}
	})
}

// TestLiveDrivers runs what has threads, locks and interrupts of its own on
// real cores, where the race detector can see.
func TestLiveDrivers(t *testing.T) {
	fast := set{
		"lpfc.array_write": "20us", "lpfc.array_read": "20us", "lpfc.array_latency": "1us", "megasas.host_command": "5us",
		"mac_scsi.target": "5us", "mac_scsi.byte": "1ns", "mac_scsi_2635.target": "5us", "mac_scsi_2635.byte": "1ns",
	}
	for _, driver := range []string{"tcm_loop", "lpfc", "megasas", "mac_scsi", "mac_scsi_2635"} {
		t.Run(driver, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				if driver == "mac_scsi_2635" && dropsLock(t, strategy) {
					t.Skip("refused: its queuecommand relies on the host lock")
				}
				m, err := machine.NewLive(machine.LiveConfig{Seed: 1, Calibration: 500})
				require.NoError(t, err)
				p, err := dispatch.NewParams(driver)
				require.NoError(t, err)
				for k, v := range (set{"host.can_queue": "5", "host.cmd_per_lun": "3", "device.capacity": "1g", driver + ".retry_rate": "0.02"}) {
					require.NoError(t, p.Set(k, v))
				}
				for k, v := range fast {
					if p.Has(k) {
						require.NoError(t, p.Set(k, v))
					}
				}
				sys, err := dispatch.New(m, dispatch.Config{Strategy: strategy, Driver: driver, Params: p, Targets: 3})
				require.NoError(t, err)
				if driver == "tcm_loop" {
					verifiers(t, m, sys, 8, 20)
				} else {
					writers(m, sys, 8, 5*time.Microsecond)
				}
				run(t, m, sys, 40*time.Millisecond)
				require.Positive(t, closed(t, sys).Completed)
			})
		})
	}
}
