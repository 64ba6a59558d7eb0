package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hostlock/dispatch"
	"hostlock/machine"
)

// TestLiveErrorHandling is for the race detector: real timers against real
// completions, with commands lost, late and completed twice. What was written is
// read back, so nothing may be done twice that was tried again.
func TestLiveErrorHandling(t *testing.T) {
	const threads = 32
	rounds := max(commands(t, 6_000)/threads/3, 1)
	each(t, func(t *testing.T, strategy string) {
		defer goleak.VerifyNone(t)
		m, sys := live(t, strategy, "ramdisk", machine.LiveConfig{Seed: 1}, 8, under("ramdisk", set{
			"device_latency": "20us", "drop_rate": "0.003", "delay_rate": "0.003", "delay": "20ms", "duplicate_rate": "0.05",
			"host_busy_rate": "0.001", "retry_rate": "0.002",
		}, set{
			"host.can_queue": "24", "host.cmd_per_lun": "12", "device.capacity": "1g", "midlayer.retries": "1000",
			// A timeout of 20 ms, which a busy computer reaches by itself now and
			// then; probes are given a second, since a device that misses one goes
			// offline.
			"midlayer.timeout": "20s", "midlayer.eh_probe_timeout": "1000s", "midlayer.eh_settle": "1s",
		}))
		done := verifiersUntilDone(t, m, sys, threads, rounds)
		_, err := m.Run(t.Context(), machine.Course{Drain: 5 * time.Minute})
		require.NoError(t, err)
		l := closed(t, sys)
		require.EqualValues(t, threads, done.Load())
		require.EqualValues(t, threads*rounds*3, l.Completed)
		c := sys.ErrorCounts()
		require.Positive(t, c.TimedOut)
		require.Positive(t, c.Injected)
		t.Logf("%d commands, %+v", l.Completed, c)
	})
}

// TestLiveFaults is TestLiveErrorHandling for the drivers that keep lists, slots
// or a bus of their own, from which a handler takes commands away.
func TestLiveFaults(t *testing.T) {
	fast := set{
		"lpfc.array_write": "20us", "lpfc.array_read": "20us", "lpfc.array_latency": "1us", "megasas.host_command": "5us",
		"mac_scsi.target": "5us", "mac_scsi.byte": "1ns", "mac_scsi_2635.target": "5us", "mac_scsi_2635.byte": "1ns", "mptsas.device_latency": "20us",
	}
	for _, driver := range []string{"mptsas", "tcm_loop", "lpfc", "megasas", "mac_scsi", "mac_scsi_2635"} {
		t.Run(driver, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				refused(t, driver, strategy)
				defer goleak.VerifyNone(t)
				s := under(driver, set{"drop_rate": "0.02", "delay_rate": "0.02", "delay": "3ms", "delay_shape": "exponential", "duplicate_rate": "0.05", "sense_rate": "0.01"}, set{
					"host.can_queue": "5", "host.cmd_per_lun": "3", "device.capacity": "1g", "midlayer.retries": "1000",
					// 3 ms, and 100 for probes: a device that misses all of them goes offline.
					"midlayer.eh_scale": "0.0001", "midlayer.eh_probe_timeout": "1000s",
				})
				p, err := dispatch.NewParams(driver)
				require.NoError(t, err)
				for k, v := range fast {
					if p.Has(k) {
						s[k] = v
					}
				}
				m, sys := live(t, strategy, driver, machine.LiveConfig{Seed: 1}, 3, s)
				for i := range 4 {
					m.Go("writer-"+string(rune('a'+i)), i%m.Cores(), false, func(th *machine.Thread) {
						iss := sys.NewIssuer(th)
						for n := range 60 {
							_ = iss.Do(th, sys.Devices()[(i+n)%3], dispatch.Write, int64(n)*8, 8, 1, nil)
						}
					})
				}
				_, err = m.Run(t.Context(), machine.Course{Drain: 5 * time.Minute})
				require.NoError(t, err)
				l := closed(t, sys)
				require.EqualValues(t, 4*60, l.Issued)
				t.Logf("%+v, %+v", l, sys.ErrorCounts())
			})
		})
	}
}
