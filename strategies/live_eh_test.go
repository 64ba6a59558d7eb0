package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

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
		_, err := m.Run(t.Context(), machine.Plan{Drain: 5 * time.Minute})
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
