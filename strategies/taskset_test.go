package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/dispatch/tally"
	"hostlock/machine/param"
	"hostlock/machine/sim"
)

// TestUnlike: LUNs that share a target, and devices that differ.
func TestUnlike(t *testing.T) {
	_, sys := setup{strategy: "per-queue", targets: 8, set: set{"host.luns_per_target": "4", "device.odd": "2", "device.odd_depth": "3", "device.odd_slower": "10"}}.make(t)
	h := sys.Hosts()[0]
	require.Len(t, h.Targets, 2)
	require.Len(t, h.Devices, 8)
	require.Equal(t, []int{64, 3, 3}, []int{h.Devices[5].Depth(), h.Devices[6].Depth(), h.Devices[7].QueueDepth})
	require.Equal(t, []float64{1, 10}, []float64{h.Devices[5].Slower, h.Devices[7].Slower})

	p, err := dispatch.NewParams("mptsas")
	require.NoError(t, err)
	m, err := sim.New(sim.Config{Cores: 1, Costs: sim.DefaultCosts()})
	require.NoError(t, err)
	for name, value := range map[string]string{"host.luns_per_target": "3", "device.odd": "9"} {
		p := p.Clone()
		require.NoError(t, p.Set(name, value))
		_, err := dispatch.New(m, dispatch.Config{Strategy: "per-queue", Driver: "mptsas", Params: p, Targets: 8})
		var wrong *param.Error
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, name, wrong.Name)
	}
}

// TestQueueLimits: a device, a target or a port that is full says so; with
// track_queue_depth the depth comes down to what it takes, and stays, and the
// load goes on at the rate of a depth that was set right.
func TestQueueLimits(t *testing.T) {
	base := set{"ramdisk.device_latency": "1ms", "host.cmd_per_lun": "32", "midlayer.ramp_up_period": "10s"}
	rate := func(targets, luns int, more set) (int64, *tally.Depths) {
		all := set{}
		for k, v := range base {
			all[k] = v
		}
		for k, v := range more {
			all[k] = v
		}
		m, sys := setup{strategy: "per-queue", driver: "ramdisk", targets: targets, luns: luns, set: all}.make(t)
		writers(m, sys, 64, 10*time.Microsecond)
		run(t, m, sys, 300*time.Millisecond)
		require.Empty(t, sys.LimitViolations())
		l := closed(t, sys)
		require.Zero(t, l.Failed)
		return l.Completed, sys.QueueDepths()
	}
	plain, none := rate(1, 1, set{"host.cmd_per_lun": "8"})
	require.Nil(t, none)
	blocked, left := rate(1, 1, set{"device.queue_limit": "8"})
	require.Positive(t, left.Full)
	require.Equal(t, 32, left.Least) // nobody follows what the device says
	tracked, got := rate(1, 1, set{"device.queue_limit": "8", "midlayer.track_queue_depth": "true"})
	require.Equal(t, 8, got.Most)
	require.InEpsilon(t, plain, tracked, 0.1)
	require.Less(t, blocked, plain)

	// Four devices of a target share its limit, and are lowered together.
	_, got = rate(1, 4, set{"target.queue_limit": "16", "midlayer.track_queue_depth": "true"})
	require.Equal(t, got.Least, got.Most)
	require.LessOrEqual(t, got.Most, 4)
	// A port counts all targets.
	_, got = rate(4, 1, set{"port.queue_limit": "16", "midlayer.track_queue_depth": "true"})
	require.LessOrEqual(t, 4*got.Least, 16)
	// The kernel's damper needs eleven ticks of 16 ms for one step.
	_, got = rate(1, 1, set{"device.queue_limit": "8", "midlayer.track_queue_depth": "true", "midlayer.queue_full_times": "11"})
	require.InDelta(t, 30, got.Least, 1) // in some twenty ticks
}
