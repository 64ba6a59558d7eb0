package strategies_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
)

// chaosRun lets a few threads issue a few commands each under a random
// schedule, and checks that all come back and no limit was broken.
func chaosRun(t *testing.T, strategy string, seed uint64, threads, commands int, cfg dispatch.Config, values set, others ...func(*machine.Thread, *dispatch.System)) *chaos {
	t.Helper()
	m := newChaos(seed, 3)
	p, err := dispatch.NewParams(cfg.Driver)
	require.NoError(t, err)
	for k, v := range values {
		require.NoError(t, p.Set(k, v))
	}
	cfg.Strategy, cfg.Params = strategy, p
	sys, err := dispatch.New(m, cfg)
	require.NoError(t, err)
	for i := range threads {
		m.Go(fmt.Sprintf("issuer-%d", i), i%m.Cores(), false, func(th *machine.Thread) {
			iss := sys.NewIssuer(th)
			for range commands {
				dev := sys.Devices()[th.Rand().IntN(len(sys.Devices()))]
				a := iss.Request(dev, dispatch.Write, 0, 8, 1, nil)
				b := iss.Request(dev, dispatch.Read, 8, 8, 1, nil)
				iss.Submit(th, a)
				iss.Submit(th, b)
				_ = iss.Wait(th, a)
				_ = iss.Wait(th, b)
			}
		})
	}
	for i, other := range others {
		m.Go(fmt.Sprintf("other-%d", i), i%m.Cores(), false, func(th *machine.Thread) { other(th, sys) })
	}
	_, err = m.Run(context.Background(), machine.Course{})
	require.NoError(t, err)
	l := closed(t, sys)
	require.EqualValues(t, threads*commands*2, l.Issued)
	return m
}

func TestChaos(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() || raceEnabled {
		seeds = 3
	}
	shapes := []struct {
		name  string
		tight bool // no refusals by the driver: only completions may restart
		cfg   dispatch.Config
		set   set
	}{
		{"one slot", true, dispatch.Config{Driver: "null", Targets: 3}, set{"host.can_queue": "1"}},
		{"host limit", true, dispatch.Config{Driver: "mptsas", Targets: 3}, set{"host.can_queue": "2", "host.cmd_per_lun": "2"}},
		{"device limit", true, dispatch.Config{Driver: "mptsas", Targets: 2}, set{"host.cmd_per_lun": "1"}},
		{"target limit", true, dispatch.Config{Driver: "mptsas", Targets: 2, LUNs: 2}, set{"host.target_can_queue": "1", "host.can_queue": "3"}},
		{"busy", false, dispatch.Config{Driver: "mptsas", Targets: 2, LUNs: 2}, set{
			"host.can_queue": "3", "host.target_can_queue": "2",
			"mptsas.host_busy_rate": "0.1", "mptsas.device_busy_rate": "0.1", "mptsas.target_busy_rate": "0.1", "mptsas.eh_retry_rate": "0.05"}},
		{"busy, no target limit", false, dispatch.Config{Driver: "null", Targets: 2, LUNs: 2}, set{
			"host.can_queue": "2", "null.host_busy_rate": "0.1", "null.device_busy_rate": "0.1", "null.target_busy_rate": "0.1"}},
		{"failures", false, dispatch.Config{Driver: "null", Targets: 2}, set{
			"host.can_queue": "2", "null.retry_rate": "0.2", "null.queue_full_rate": "0.1", "null.error_rate": "0.1"}},
	}
	each(t, func(t *testing.T, strategy string) {
		for _, s := range shapes {
			t.Run(s.name, func(t *testing.T) {
				slow, steps := 0, 0
				for seed := range seeds {
					m := chaosRun(t, strategy, seed, 5, 4, s.cfg, s.set)
					slow += m.slow
					steps += m.steps
				}
				t.Logf("%d steps, %d unplug timers had to fire", steps, slow)
				if s.tight && (strategy == "per-queue" || strategy == "ring") {
					// 2.6.35 itself needs the plug now and then: between the ready
					// check and the requeue a device may be taken off the starved
					// list while its queue is still empty.
					require.Zero(t, slow, "a wake-up was lost, and the plug made up for it")
				}
			})
		}
	})
}

// TestChaosOfStates: states change while commands are on their way, and change
// back; every command comes back, the failed ones with an error.
func TestChaosOfStates(t *testing.T) {
	seeds := uint64(40)
	if testing.Short() || raceEnabled {
		seeds = 3
	}
	device := func(states ...dispatch.DeviceState) func(*machine.Thread, *dispatch.System) {
		return func(th *machine.Thread, sys *dispatch.System) {
			for range 3 {
				for _, s := range states {
					sys.Devices()[0].SetState(th, s)
					th.Yield()
				}
			}
		}
	}
	for _, c := range []struct {
		name  string
		other func(*machine.Thread, *dispatch.System)
	}{
		{"device blocked", device(dispatch.DeviceBlock, dispatch.DeviceRunning)},
		{"device quiesced", device(dispatch.DeviceQuiesce, dispatch.DeviceRunning)},
		{"device offline", device(dispatch.DeviceOffline, dispatch.DeviceRunning)},
		{"device deleted", device(dispatch.DeviceCancel, dispatch.DeviceDel)},
		{"host blocks itself", func(th *machine.Thread, sys *dispatch.System) {
			for range 4 {
				sys.Hosts()[0].Block(th)
				th.Yield()
				sys.Hosts()[0].Unblock(th)
			}
		}},
		{"host in recovery", func(th *machine.Thread, sys *dispatch.System) {
			for range 4 {
				for _, s := range []dispatch.HostState{dispatch.HostRecovery, dispatch.HostRunning} {
					if err := sys.Hosts()[0].SetState(th, s); err != nil {
						panic(err)
					}
				}
			}
		}},
		{"host deleted", func(th *machine.Thread, sys *dispatch.System) {
			for _, s := range []dispatch.HostState{dispatch.HostCancel, dispatch.HostDel} {
				if err := sys.Hosts()[0].SetState(th, s); err != nil {
					panic(err)
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				for seed := range seeds {
					chaosRun(t, strategy, seed, 5, 3, dispatch.Config{Driver: "mptsas", Targets: 3},
						set{"host.can_queue": "3", "mptsas.device_busy_rate": "0.05", "mptsas.retry_rate": "0.05"}, c.other)
				}
			})
		})
	}
}
