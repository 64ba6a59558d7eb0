package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
)

// TestQueueFullStorm: a device that answers every command with TASK SET FULL for
// a while lowers the depth of all LUNs of its target, but not of another. It rises
// again, a step a period, once the storm is over. Nothing is lost.
func TestQueueFullStorm(t *testing.T) {
	virtualOnly(t)
	each(t, func(t *testing.T, strategy string) {
		const storm = 20 * time.Millisecond
		ehDriver = &ehScript{latency: 200 * time.Microsecond}
		m, sys := setup{strategy: strategy, driver: "failing", targets: 2, luns: 2, set: set{
			"host.can_queue": "64", "host.cmd_per_lun": "8",
			"midlayer.track_queue_depth": "true", "midlayer.ramp_up_period": "5ms"}}.make(t)
		devs := sys.Devices()
		least := make([]int, len(devs))
		ehDriver.full = func(now time.Duration, cmd *dispatch.Command) bool {
			for i, d := range devs {
				least[i] = min(least[i], d.Depth())
			}
			return now < storm && cmd.Device() == devs[0]
		}
		for i := range least {
			least[i] = devs[i].QueueDepth
		}
		writers(m, sys, 32, 10*time.Microsecond)
		run(t, m, sys, 100*time.Millisecond)
		l := closed(t, sys)
		require.Positive(t, l.Requeued)
		require.Equal(t, []int{1, 1, 8, 8}, least)
		for _, d := range devs {
			require.Equal(t, 8, d.Depth())
		}
	})
}
