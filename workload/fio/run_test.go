package fio

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/workload"
)

// TestOrder: offsets in order, as a real fio 3.33 issued them with the null
// engine.
func TestOrder(t *testing.T) {
	for line, want := range map[string][]int64{
		"--rw=read --size=64k":                                            {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
		"--rw=read:4k --size=64k":                                         {0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14},
		"--rw=read:-8k --size=64k":                                        {0, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
		"--rw=read --size=16k --io_size=40k":                              {0, 1, 2, 3, 0, 1, 2, 3, 0, 1},
		"--rw=read --size=16k --loops=2":                                  {0, 1, 2, 3, 0, 1, 2, 3},
		"--rw=read --size=16k --number_ios=6":                             {0, 1, 2, 3},
		"--rw=read --size=16k --number_ios=2":                             {0, 1},
		"--rw=read --size=18k":                                            {0, 1, 2, 3},
		"--rw=read --size=32k --nrfiles=2":                                {0, 0, 1, 1, 2, 2, 3, 3},
		"--rw=read --size=16k --nrfiles=2 --file_service_type=sequential": {0, 1, 0, 1},
		"--rw=write --verify=crc32c --size=8k":                            {0, 1}, // reads
	} {
		_, ops, _, _ := trial{line: "fio --name=a --direct=1 --bs=4k " + line, all: true}.run(t)
		require.Equal(t, want, offsets(ops, reads, 4096), line)
	}
}

// TestCoverage: a random map gives every block once a pass, with one size and with
// several.
func TestCoverage(t *testing.T) {
	for _, line := range []string{"--bs=4k", "--bs=4k --loops=3", "--bs=4k --ioengine=libaio --iodepth=16 --iodepth_batch=4", "--bsrange=4k-32k", "--bssplit=4k/50:16k/50", "--rw=randrw --bs=4k", "--bs=3k --size=768k"} {
		r, ops, _, _ := trial{line: "fio --name=a --direct=1 --rw=randread --size=1m " + line, all: true}.run(t)
		unit := r.threads[0].clone.smallest()
		seen := make([]int, r.threads[0].clone.regions[0].span/unit)
		for _, o := range ops {
			require.Zero(t, o.off%unit)
			for b := o.off / unit; b < (o.off+o.n)/unit; b++ {
				seen[b]++
			}
		}
		require.Equal(t, slices.Repeat([]int{r.threads[0].clone.loops}, len(seen)), seen, line)
	}
}

// TestPermutation: what stands for a map of a large file has each number once, in
// an order that differs from pass to pass.
func TestPermutation(t *testing.T) {
	r := machine.Rand(1, "permutation")
	for _, n := range []int64{1, 2, 3, 64, 1000, 4096, 4097} {
		p := newPermutation(n, r)
		var passes [2][]int64
		for i := range passes {
			for range n {
				x, ok := p.next(r, true)
				require.True(t, ok)
				passes[i] = append(passes[i], x)
			}
		}
		if n >= 64 {
			require.NotEqual(t, passes[0], passes[1])
		}
		slices.Sort(passes[0])
		for i, x := range passes[0] {
			require.EqualValues(t, i, x)
		}
		if n > 1 {
			p.at = n
			_, ok := p.next(r, false)
			require.False(t, ok)
		}
	}
}

func TestEngine(t *testing.T) {
	const base = "fio --name=a --direct=1 --bs=4k --filename=/dev/sda --ioengine=libaio "
	t.Run("depth", func(t *testing.T) {
		// One thread has as many under way as iodepth says, and no more.
		for _, depth := range []string{"1", "8", "100"} {
			r, _, sys, _ := trial{line: base + "--rw=randread --iodepth=" + depth, time: 20 * time.Millisecond}.run(t)
			require.Equal(t, 1, r.Threads())
			y := &r.threads[0].sum
			require.Positive(t, y.did[reads].ops)
			require.Greater(t, y.depth[min(map[string]int{"1": 0, "8": 3, "100": 6}[depth], 6)], y.did[reads].ops/2)
			require.InDelta(t, y.did[reads].ops, sys.Window().Completed, 101)
		}
	})
	t.Run("batches merge", func(t *testing.T) {
		// Neighbours that are submitted together become one request.
		r, _, _, _ := trial{line: base + "--rw=read --size=1m --iodepth=16 --iodepth_batch=16 --iodepth_batch_complete_min=16"}.run(t)
		require.EqualValues(t, 256, r.threads[0].sum.did[reads].ops)
		require.EqualValues(t, 16, r.threads[0].sum.handed)
	})
	t.Run("soft limit", func(t *testing.T) {
		// block.max_sectors_kb splits what a command could carry.
		for kb, want := range map[string]int64{"512": 2, "1024": 1} {
			r, _, _, _ := trial{line: "fio --name=a --direct=1 --rw=read --bs=1m --size=4m", set: map[string]string{
				"block.max_sectors_kb": kb, "host.max_sectors": "4096", "block.pages": "contiguous", "host.sg_tablesize": "128"}}.run(t)
			require.EqualValues(t, 4*want, r.threads[0].sum.handed)
		}
	})
	t.Run("low water", func(t *testing.T) {
		_, ops, _, _ := trial{line: base + "--rw=randread --size=256k --iodepth=8 --iodepth_low=2 --iodepth_batch_complete_max=1", all: true}.run(t)
		require.Len(t, ops, 64)
	})
	t.Run("rate", func(t *testing.T) {
		for _, line := range []string{"--rate_iops=5000", "--rate=20000k --rate_process=poisson", "--rw=randrw --rate_iops=2500,2500"} {
			r, _, _, _ := trial{line: base + "--rw=randread --iodepth=4 " + line, time: 200 * time.Millisecond}.run(t)
			y := &r.threads[0].sum
			require.InEpsilon(t, 1000, y.did[reads].ops+y.did[writes].ops, 0.12, line)
		}
	})
	t.Run("thinktime", func(t *testing.T) {
		r, _, _, _ := trial{line: base + "--rw=randread --thinktime=1ms --thinktime_blocks=4", time: 100 * time.Millisecond}.run(t)
		require.InEpsilon(t, 4*88, r.threads[0].sum.did[reads].ops, 0.05) // 1 ms and four commands a round
	})
	t.Run("flushes", func(t *testing.T) {
		r, _, _, _ := trial{line: base + "--rw=write --size=256k --fsync=16 --end_fsync=1"}.run(t)
		require.EqualValues(t, []int64{64, 4}, []int64{r.threads[0].sum.did[writes].ops, r.threads[0].sum.flushes})
	})
	t.Run("runtime", func(t *testing.T) {
		r, _, _, acct := trial{line: base + "--rw=randread --runtime=30ms --startdelay=20ms --time_based --size=64k"}.run(t)
		require.InEpsilon(t, 0.05, acct.Window.Seconds(), 0.2)
		require.Greater(t, r.threads[0].sum.did[reads].ops, int64(64))
	})
	t.Run("ramp", func(t *testing.T) {
		r, ops, _, _ := trial{line: base + "--rw=randread --ramp_time=10ms --runtime=10ms --time_based", all: true}.run(t)
		require.InEpsilon(t, len(ops)/2, r.threads[0].sum.did[reads].ops, 0.1)
	})
	t.Run("null", func(t *testing.T) {
		_, _, sys, _ := trial{line: "fio --name=a --ioengine=null --rw=randread --size=1m"}.run(t)
		require.Zero(t, sys.Ledger().Issued)
	})
	t.Run("buffered", func(t *testing.T) {
		// A second pass finds what the first one read.
		for _, engine := range []string{"psync", "mmap", "libaio --iodepth=8"} {
			r, _, sys, _ := trial{line: "fio --name=a --rw=read --bs=4k --size=1m --loops=3 --ioengine=" + engine}.run(t)
			require.EqualValues(t, 3*256, r.threads[0].sum.did[reads].ops)
			require.Less(t, sys.Ledger().Issued, int64(64))
		}
	})
}

// TestGates: stonewall and wait_for keep jobs apart, and exitall ends them.
func TestGates(t *testing.T) {
	const base = "fio --name=global --direct=1 --bs=4k --rw=read --size=64k "
	_, ops, _, _ := trial{line: base + "--name=a --numjobs=3 --name=b --stonewall --name=c", all: true}.run(t)
	last := map[bool]time.Duration{}
	first := time.Hour
	for _, o := range ops {
		last[o.thread < 3] = max(last[o.thread < 3], o.at)
		if o.thread >= 3 {
			first = min(first, o.at)
		}
	}
	require.Len(t, ops, 5*16)
	require.Greater(t, first, last[true])

	_, ops, _, _ = trial{line: base + "--name=a --name=b --name=c --wait_for=a", all: true}.run(t)
	require.Len(t, ops, 3*16)

	r, _, _, _ := trial{line: base + "--name=a --time_based --runtime=100 --numjobs=2 --name=b --exitall"}.run(t)
	require.Less(t, r.threads[0].sum.did[reads].ops, int64(200))
	r, _, _, _ = trial{line: base + "--name=a --name=b --stonewall", time: 50 * time.Millisecond}.run(t)
	require.Positive(t, r.gate.rounds)
}

// TestSharedFiles: clones with one filename work on one file, others on their
// own, in turn on the devices.
func TestSharedFiles(t *testing.T) {
	r, _, _, _ := trial{line: "fio --name=a --direct=1 --rw=read --size=64k --numjobs=4 --nrfiles=2", luns: 2}.run(t)
	seen := map[int64]int{}
	for _, th := range r.threads {
		for _, g := range th.clone.regions {
			seen[int64(g.dev.ID)<<40|g.base]++
		}
	}
	require.Len(t, seen, 8)
	r, _, _, _ = trial{line: "fio --name=a --direct=1 --rw=read --size=64k --numjobs=4 --filename=x --offset_increment=64k", luns: 2}.run(t)
	for i, th := range r.threads {
		require.EqualValues(t, i<<16, th.clone.regions[0].base)
		require.Zero(t, th.clone.regions[0].dev.ID)
	}
}

// TestReport: the lines of fio's own output, and the counts that a result has.
func TestReport(t *testing.T) {
	r, _, _, acct := trial{line: "fio --name=a --direct=1 --rw=read --bs=4k --size=64k --name=b --direct=1 --rw=write --bs=4k --size=32k --fsync=4"}.run(t)
	var b bytes.Buffer
	require.NoError(t, r.NativeReport(&b, acct.Window))
	require.Contains(t, b.String(), "a: (groupid=0, jobs=1): err= 0\n   read: IOPS=")
	require.Contains(t, b.String(), "issued rwts: total=0,8,0,1\n")
	ops := map[string]int64{}
	for _, c := range r.Operations() {
		ops[c.Name] = c.Value
	}
	require.EqualValues(t, 16, ops["read_ios"])
	require.EqualValues(t, 32<<10, ops["write_bytes"])
	require.EqualValues(t, 8, ops["1:b:write_ios"])
}

// TestManyOutstanding: 512 requests of 16 jobs cost 16 threads.
func TestManyOutstanding(t *testing.T) {
	w, err := workload.Load("fio --name=a --direct=1 --rw=randread --bs=4k --ioengine=libaio --iodepth=32 --numjobs=16 --filename=/dev/sda --group_reporting")
	require.NoError(t, err)
	require.Equal(t, 16, w.Threads())
	r, _, sys, _ := trial{line: string(w.Text()), time: 10 * time.Millisecond}.run(t)
	require.Equal(t, 16, r.Threads())
	require.Len(t, r.groups(), 1)
	require.Positive(t, sys.Window().Completed)
}
