package strategies_test

import (
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hostlock/dispatch"
	"hostlock/machine"
)

// commandsVar gives the long forms of the tests below: how many commands to
// run. HOSTLOCK_COMMANDS=1000000 go test -race ./strategies -run TestRamdiskLive
const commandsVar = "HOSTLOCK_COMMANDS"

func commands(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv(commandsVar)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "%s", commandsVar)
	return n
}

// live is a machine of this computer with a system on it.
func live(t testing.TB, strategy, driver string, cfg machine.LiveConfig, targets int, values set) (*machine.Live, *dispatch.System) {
	t.Helper()
	if cfg.Calibration == 0 {
		cfg.Calibration = 500
	}
	m, err := machine.NewLive(cfg)
	require.NoError(t, err)
	p, err := dispatch.NewParams(driver)
	require.NoError(t, err)
	for k, v := range values {
		require.NoError(t, p.Set(k, v))
	}
	sys, err := dispatch.New(m, dispatch.Config{Strategy: strategy, Driver: driver, Params: p, Targets: targets})
	require.NoError(t, err)
	return m, sys
}

// TestRamdiskLiveGivesBackWhatWasWritten is for the race detector above all:
// 128 goroutines that write and verify, under tight limits.
func TestRamdiskLiveGivesBackWhatWasWritten(t *testing.T) {
	const threads = 128
	rounds := max(commands(t, 20_000)/threads/3, 1) // two writes and a read each
	each(t, func(t *testing.T, strategy string) {
		defer goleak.VerifyNone(t)
		m, sys := live(t, strategy, "ramdisk", machine.LiveConfig{Seed: 1}, 16, set{
			"host.can_queue": "100", "host.cmd_per_lun": "12", "device.capacity": "1g", "ramdisk.device_latency": "20us",
			"ramdisk.host_busy_rate": "0.001", "ramdisk.device_busy_rate": "0.001", "ramdisk.retry_rate": "0.002",
		})
		done := verifiersUntilDone(t, m, sys, threads, rounds)
		from := time.Now()
		// No window: the run lasts until every thread has returned.
		_, err := m.Run(t.Context(), machine.Course{Drain: 5 * time.Minute})
		require.NoError(t, err)
		l := closed(t, sys)
		require.EqualValues(t, threads, done.Load())
		require.EqualValues(t, threads*rounds*3, l.Completed)
		t.Logf("%d commands, %d put back, in %v", l.Completed, l.Requeued, time.Since(from).Round(time.Millisecond))
	})
}

// quietCosts leaves nothing but the path itself.
func quietCosts(driver string) set {
	return set{
		"midlayer.section": "0", "midlayer.make_request": "0", "midlayer.softirq_done": "0", "midlayer.io_completion": "0",
		driver + ".queuecommand": "0",
	}
}

// mallocs is how many objects have been allocated so far.
func mallocs() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.Mallocs
}

// TestNoAllocationInSteadyState: a command on the null driver allocates
// nothing, whatever the strategy.
func TestNoAllocationInSteadyState(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	const warm, n = 20_000, 50_000
	each(t, func(t *testing.T, strategy string) {
		m, sys := live(t, strategy, "null", machine.LiveConfig{Seed: 1}, 4, quietCosts("null"))
		var perCommand float64
		m.Go("one", 0, false, func(th *machine.Thread) {
			iss := sys.NewIssuer(th)
			dev := sys.Devices()[0]
			for range warm {
				_ = iss.Do(th, dev, dispatch.Write, 0, 8, 1, nil)
			}
			before := mallocs()
			for range n {
				_ = iss.Do(th, dev, dispatch.Write, 0, 8, 1, nil)
			}
			perCommand = float64(mallocs()-before) / n
		})
		_, err := m.Run(t.Context(), machine.Course{})
		require.NoError(t, err)
		closed(t, sys)
		t.Logf("%.5f allocations a command", perCommand)
		// The runtime's own, such as a goroutine's new waiting record, are a few
		// in all.
		require.Less(t, perCommand, 0.001)
	})
}
