package experiment_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/results"
	_ "hostlock/workload/dd"
	_ "hostlock/workload/disktest"
	_ "hostlock/workload/sgpdd"
)

// reproduced runs all cases of an experiment.
func reproduced(t *testing.T, name string, seed uint64, d time.Duration) (results.Reproduction, map[string]results.CaseRun) {
	t.Helper()
	exp, err := spec.Load(name)
	require.NoError(t, err)
	table, err := results.LookupPublished(exp.Source)
	require.NoError(t, err)
	runs := map[string]*results.Result{}
	for _, c := range exp.Cases {
		r, err := do(context.Background(), exp, experiment.Request{
			Strategy: c.Strategy, Driver: c.Driver, Workload: c.Workload, Set: c.Set, Seed: experiment.SeedOf(seed), Duration: d,
		})
		require.NoError(t, err, c.Name)
		runs[c.Name] = r
	}
	rep, err := table.Reproduce(runs, exp.UsedToFit)
	require.NoError(t, err)
	cases := map[string]results.CaseRun{}
	for _, c := range rep.Cases {
		cases[c.Name] = c
	}
	return rep, cases
}

// TestTransferSize: the table, and the thread's argument: with every page
// apart nothing but both limits together gains, since what the array sees are
// commands of 512 KiB; pages side by side need neither.
func TestTransferSize(t *testing.T) {
	virtualOnly(t)
	rep, cases := reproduced(t, "transfer-size", 2, 15*time.Second)
	require.True(t, rep.OK, "%+v", rep.Rows)
	for name, c := range cases {
		kib, apart := c.TransferKiB, !strings.HasSuffix(name, "-contiguous")
		commands, _ := c.PerTransfer.Get("commands")
		segments, _ := c.PerTransfer.Get("segments")
		limited := strings.Contains(name, "-128")
		switch {
		case limited:
			require.InDelta(t, kib/512, commands, 0.05, name)
			smallest := strings.SplitN(name, "-", 2)[0] + "-512k"
			require.InEpsilon(t, cases[smallest].ThroughputMB, c.ThroughputMB, 0.03, name)
		default:
			require.InDelta(t, 1, commands, 0.01, name)
		}
		if apart {
			require.InDelta(t, kib/4, segments, 0.5, name)
		} else {
			require.InDelta(t, kib/64, segments, 0.5, name)
			require.InEpsilon(t, cases[strings.TrimSuffix(name, "-contiguous")].ThroughputMB, c.ThroughputMB, 0.02, name)
		}
	}
}

func TestMaxSGE(t *testing.T) {
	virtualOnly(t)
	rep, cases := reproduced(t, "max-sge", 2, 300*time.Millisecond)
	require.True(t, rep.OK, "%+v", rep.Rows)
	for name, want := range map[string]float64{"sge-8": 8, "sge-16": 4, "sge-24": 3, "sge-32": 2, "sge-80": 1, "bare-metal": 1} {
		commands, _ := cases[name].PerTransfer.Get("commands")
		require.InDelta(t, want, commands, 0.02, name)
	}
	frames, ok := cases["sge-80"].PerTransfer.Get("megasas.frames")
	require.True(t, ok)
	require.InDelta(t, 13, frames, 0.2, "1 element in the first frame, 63 of 12 bytes behind")
	told, _ := cases["sge-80"].PerTransfer.Get("megasas.frames_told")
	require.InDelta(t, 8, told, 0.1)
	require.Greater(t, cases["sge-80-without-the-drop"].ThroughputMB, cases["sge-24"].ThroughputMB, "but for the drop fewer commands are faster")
	require.Contains(t, strings.Join(rep.Warnings, "\n"), "the cause is unknown")
}

// TestCmdPerLUN: the gains over seeds, their size over their scatter, and how
// little is left of them on a faster processor.
func TestCmdPerLUN(t *testing.T) {
	virtualOnly(t)
	const seeds = 3 // the published effect size was checked with 20
	var sum, squares float64
	for seed := range uint64(seeds) {
		rep, cases := reproduced(t, "cmd-per-lun", 1+seed, 60*time.Second)
		require.True(t, rep.OK, "seed %d: %+v", seed, rep.Rows)
		gain := func(name, over string) float64 { return 100 * (cases[name].IOPS/cases[over].IOPS - 1) }
		four := gain("depth-4", "depth-1")
		require.Greater(t, four, gain("depth-2", "depth-1"))
		const fast = "-on-a-cpu-10x-as-fast"
		require.Less(t, gain("depth-4"+fast, "depth-1"+fast), four/3)
		sum += four
		squares += four * four
	}
	mean := sum / seeds
	sd := math.Sqrt(max(squares/seeds-mean*mean, 1e-9))
	require.Greater(t, mean/sd, 9.0)
}

// TestLivelockIsFound: limits that do not compose end a run with the reason.
func TestLivelockIsFound(t *testing.T) {
	exp, err := spec.Load("transfer-size")
	require.NoError(t, err)
	for oversize, want := range map[string]error{"error": dispatch.ErrTooLarge, "livelock": dispatch.ErrLivelock} {
		_, err := do(context.Background(), exp, experiment.Request{Duration: 50 * time.Millisecond,
			Set: settings("block.segment_limit=none", "host.sg_tablesize=128", "midlayer.oversize="+oversize)})
		require.ErrorIs(t, err, want, oversize)
		var usage *spec.UsageError
		require.NotErrorAs(t, err, &usage)
	}
}

// TestRefusedRequests are wrong in themselves: one line that says what is
// legal, before anything runs.
func TestRefusedRequests(t *testing.T) {
	for _, c := range []struct {
		experiment string
		opts       experiment.Request
		want       string
	}{
		{"transfer-size", experiment.Request{Set: settings("host.sg_tablesize=1025")}, "sg_tablesize 1025; legal: 1 to 1024"},
		{"transfer-size", experiment.Request{Set: settings("midlayer.large_sg=false")}, "midlayer.max_phys_segments=1024; legal: "},
		{"cmd-per-lun", experiment.Request{Set: settings("host.cmd_per_lun=17")}, "above can_queue"},
		{"cmd-per-lun", experiment.Request{Driver: "mac_scsi_2635", Strategy: "unlocked-qcmds"}, "relies on the host lock in queuecommand (its list of commands has no other lock)"},
		{"cmd-per-lun", experiment.Request{Strategy: "unlocked-qcmds", Set: settings("host.needs_host_lock=true")}, "host.needs_host_lock=true says so"},
		{"cmd-per-lun", experiment.Request{Workload: "dd if=/dev/sdb of=/dev/null"}, "if=/dev/sdb is device 1; legal: 0 to 0"},
		{"cmd-per-lun", experiment.Request{Workload: "dd if=/dev/sda of=/dev/null bs=100"}, "legal: a multiple of 512"},
		{"cmd-per-lun", experiment.Request{Workload: "dd if=/dev/sda of=/dev/null count=1t"}, "dd: "},
		{"transfer-size", experiment.Request{Workload: "sgp_dd if=/dev/sg0 of=. thr=0"}, "thr=0: out of range; legal: 1 to 1024"},
		{"max-sge", experiment.Request{Set: settings("megasas.max_sge=0")}, "legal: 1 to 255"},
		{"max-sge", experiment.Request{Set: settings("megasas.max_sge=256")}, "legal: 1 to 255"},
		{"max-sge", experiment.Request{Set: settings("megasas.max_cmds=2049")}, "legal: 1 to 2048"},
		{"max-sge", experiment.Request{Set: settings("megasas.max_sges=8")}, "unknown parameter"},
	} {
		exp, err := spec.Load(c.experiment)
		require.NoError(t, err)
		_, err = do(context.Background(), exp, c.opts)
		var usage *spec.UsageError
		require.ErrorAs(t, err, &usage, "%+v", c.opts)
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "\n")
	}
}

// TestOldNCR5380: the host lock of 2.6.35's driver is
// there under per-queue and ring as well, around queuecommand and in its own
// work item.
func TestOldNCR5380(t *testing.T) {
	exp, err := spec.Load("cmd-per-lun")
	require.NoError(t, err)
	for _, strategy := range []string{"host-lock", "per-queue", "ring"} {
		r, err := do(context.Background(), exp, experiment.Request{
			Strategy: strategy, Driver: "mac_scsi_2635", Duration: time.Second, Set: settings("host.max_sectors=8"),
		})
		require.NoError(t, err, strategy)
		require.Positive(t, r.IOPS)
		longest := int64(0)
		for _, l := range r.Locks {
			if l.Class == "host_lock" {
				longest = l.Hold.Max
			}
		}
		require.Greater(t, longest, int64(3*time.Millisecond), "%s: the data phase is under the host lock", strategy)
	}
}

// TestSameSeedSameBytes: for every tool, buffered and not, one seed gives one
// result, and its own program's words.
func TestSameSeedSameBytes(t *testing.T) {
	virtualOnly(t)
	for workload, want := range map[string]string{
		"sgp_dd if=/dev/sg0 of=/dev/sg1 bs=512 bpt=256 thr=8 time=1": "records out",
		"disktest -rw -B 4k:64k -K 4 -p r -I b -D 50:50 /dev/sda":    "Test Done (Passed)",
		"disktest -r -B 256k -I r /dev/sdb":                          "Total read throughput: ",
		"dd if=/dev/sda of=/dev/sdb bs=64k conv=fsync count=100":     "copied, ",
		"dd if=/dev/zero of=/dev/sda bs=4k oflag=direct":             "copied, ",
	} {
		exp := headline(t)
		run := func(seed uint64) (string, string) {
			r, err := do(context.Background(), exp, experiment.Request{
				Workload: workload, Driver: "tcm_loop", Machine: "sim", Cores: 4, Seed: experiment.SeedOf(seed), Duration: 50 * time.Millisecond,
				Set: settings("device.capacity=1g", "cache.size=64m"),
			})
			require.NoError(t, err, workload)
			var b bytes.Buffer
			f, err := results.Format("json")
			require.NoError(t, err)
			require.NoError(t, f.Result(&b, r))
			return b.String(), string(r.Native)
		}
		first, native := run(7)
		again, _ := run(7)
		require.Equal(t, first, again, workload)
		other, _ := run(8)
		require.NotEqual(t, first, other, workload)
		require.Contains(t, native, want, workload)
	}
}
