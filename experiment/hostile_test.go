package experiment_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/spec"
)

const hostileFile = `name = "mine"
strategy = "ring"
driver = "null"
workload = "headline"
machine = "sim"
cores = 4
duration = "1ms"
`

// What a file says wrongly is found whichever part of it is run.
func TestWhatIsWrongInPartsThatAreNotRun(t *testing.T) {
	for key, text := range map[string]string{
		"scale.parameters": "[scale]\nparameters = [\"host.can_quee\"]",
		"strategy":         "[[case]]\nname = \"a\"\nstrategy = \"nosuch\"",
		"driver":           "[[case]]\nname = \"a\"\ndriver = \"nosuch\"",
		"no.such":          "[[case]]\nname = \"a\"\nset = [\"no.such=1\"]",
		"host.can_queue":   "[[case]]\nname = \"a\"\nset = [\"host.can_queue=x\"]",
		"scale":            "[[case]]\nname = \"a\"\nset = [\"scale=-1\"]",
	} {
		s, err := spec.Parse("m.toml", []byte(hostileFile+text))
		require.NoError(t, err, key)
		_, err = experiment.NewPlan(s, experiment.Request{})
		var usage *spec.UsageError
		require.ErrorAs(t, err, &usage, key)
		assert.Equal(t, key, usage.Parameter)
		assert.Positive(t, usage.At.Line, key)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// A load that takes more memory than there is to be is refused before it is
// made, and says how much.
func TestALoadTooLargeIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		r    experiment.Request
	}{
		"LUNs":    {text: "luns_per_hba = 65536\n"},
		"threads": {r: experiment.Request{Threads: 1 << 20}},
		"depth":   {r: experiment.Request{Driver: "ramdisk", Set: settings("host.cmd_per_lun=1048576", "host.can_queue=1048576")}, text: "luns_per_hba = 16\n"},
	} {
		s, err := spec.Parse("m.toml", []byte(hostileFile+c.text))
		require.NoError(t, err)
		_, err = experiment.NewPlan(s, c.r)
		var usage *spec.UsageError
		require.ErrorAs(t, err, &usage, name)
		assert.Contains(t, err.Error(), "GiB of memory")
	}
}

// What could not be verified is not run for that.
func TestVerifyingWhatIsNotStoredIsRefused(t *testing.T) {
	for driver, legal := range map[string]bool{"null": false, "mptsas": false, "ramdisk": true} {
		_, err := experiment.NewPlan(headline(t), experiment.Request{Driver: driver, Set: settings("fs.verify=true")})
		if legal {
			require.NoError(t, err, driver)
			continue
		}
		var usage *spec.UsageError
		require.ErrorAs(t, err, &usage, driver)
		assert.Equal(t, "fs.verify", usage.Parameter)
	}
}

// A driver that needs the host lock may be told that it does not: it then has
// one of its own, under every strategy.
func TestAHostLockThatIsNotNeededIsNotTaken(t *testing.T) {
	virtualOnly(t)
	for _, strategy := range []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"} {
		_, err := do(context.Background(), headline(t), experiment.Request{Machine: "sim", Strategy: strategy, Driver: "mac_scsi_2635",
			Duration: time.Millisecond, Threads: 8, Set: settings("host.needs_host_lock=false", "midlayer.unplug_delay=1us")})
		require.NoError(t, err, strategy)
	}
}

// Buffered writers come to their end with the run, at every seed.
func TestBufferedWritersEndWithTheRun(t *testing.T) {
	virtualOnly(t)
	for n := range 5 {
		_, err := do(context.Background(), headline(t), experiment.Request{Machine: "sim", Threads: 16, Cores: 8, Duration: 30 * time.Millisecond,
			Warmup: time.Millisecond, Seed: experiment.Seed{N: uint64(n), Given: true},
			Workload: "dd if=/dev/zero of=/dev/sda bs=64k", Set: settings("cache.size=1m")})
		require.NoError(t, err)
	}
}

// A rate of 0 says why.
func TestARateOfNothingSaysWhy(t *testing.T) {
	virtualOnly(t)
	r, err := do(context.Background(), headline(t), experiment.Request{Machine: "sim", Cores: 4, Threads: 4, Duration: 20 * time.Millisecond, Set: settings("fs.cpu=1s")})
	require.NoError(t, err)
	require.Zero(t, r.IOPS)
	assert.Contains(t, strings.Join(r.Warnings, "\n"), "IOPS is 0")
}

// A slow device keeps a bounded queue full: its submitters sleep until a request has
// been finished, and cost no more than those of a queue without a bound.
func TestSubmittersSleepOnAFullRing(t *testing.T) {
	virtualOnly(t)
	var iops [2]float64
	for i, strategy := range []string{"per-queue", "ring"} {
		r, err := do(context.Background(), headline(t), experiment.Request{Machine: "sim", Strategy: strategy, Driver: "mac_scsi", Workload: "survey", Cores: 8, Set: settings("host.max_sectors=32")})
		require.NoError(t, err, strategy)
		require.EqualValues(t, 2048, r.Commands.Completed, strategy)
		iops[i] = r.IOPS
	}
	require.InEpsilon(t, iops[0], iops[1], 0.01)
}

// Waits that began in the warm-up do not count whole: by the locks' own clocks, too,
// no share is above 100 %, and both ways of counting agree in however short a window.
func TestTheLocksOwnClocksKeepToTheWindow(t *testing.T) {
	virtualOnly(t)
	for _, window := range []time.Duration{400 * time.Microsecond, 2 * time.Millisecond} {
		r, err := do(context.Background(), headline(t), experiment.Request{Machine: "sim", Strategy: "host-lock", Cores: 64, Duration: window, Set: settings("midlayer.section=20us")})
		require.NoError(t, err)
		require.Greater(t, r.CPU.HostLock, 80.0)
		require.InDelta(t, r.CPU.HostLock, r.Counters.HostLock, 0.5)
		require.LessOrEqual(t, r.Counters.Contention, 100.0)
	}
}

// Where profiles cannot be written any more, the run fails, and its result is whole.
func TestUnwrittenProfilesTakeNothingFromTheResult(t *testing.T) {
	virtualOnly(t)
	full := filepath.Join(t.TempDir(), "full")
	require.NoError(t, os.WriteFile(full, nil, 0o600))
	req := experiment.Request{Machine: "sim", Strategy: "host-lock", Cores: 64, Duration: 5 * time.Millisecond}
	want, err := do(context.Background(), headline(t), req)
	require.NoError(t, err)
	r, err := do(context.Background(), headline(t), req, experiment.Options{ProfilesDir: filepath.Join(full, "profiles")})
	require.Error(t, err)
	require.Equal(t, want.CPU, r.CPU)
	require.Equal(t, want.Published, r.Published)
	require.Empty(t, r.Profiles)
}

// A plug whose timer fires at once, under many threads on a slow bus, comes to its end.
func TestAPlugOfANanosecondEnds(t *testing.T) {
	virtualOnly(t)
	r, err := do(context.Background(), headline(t), experiment.Request{Machine: "sim", Driver: "mac_scsi_2635", Threads: 100, Duration: time.Millisecond, Set: settings("midlayer.unplug_delay=1ns")})
	require.NoError(t, err)
	require.Zero(t, r.Commands.Lost)
}
