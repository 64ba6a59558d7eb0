package ffsb

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/workload/ffsb/profile"
)

func TestSameSeedSameRun(t *testing.T) {
	for _, name := range []string{"headline", "mailserver", "seqread"} {
		w := builtin(t, name)
		b := bench{driver: "mptsas", seed: 3, warmup: time.Millisecond, duration: 10 * time.Millisecond}
		one, two := b.run(t, w), b.run(t, w)
		require.Equal(t, one.Operations(), two.Operations())
		require.Equal(t, one.sys.Window().PerIssuer, two.sys.Window().PerIssuer)
		require.Equal(t, one.acct, two.acct)
		b.seed = 4
		require.NotEqual(t, one.Operations(), b.run(t, w).Operations())
	}
}

func TestWeights(t *testing.T) {
	w := of(t, profileText("4k", "stat_weight=5", "open_close_weight=3", "metaop_weight=0", "createdir_weight=2"))
	r := bench{threads: 8, duration: 100 * time.Millisecond / slower}.run(t, w)
	n := r.counts()
	total := float64(n["calls"])
	require.Greater(t, total, 10000./slower)
	for op, share := range map[string]float64{"stat": .5, "open_close": .3, "createdir": .2} {
		sd := math.Sqrt(share * (1 - share) / total)
		require.InDelta(t, share, float64(n[op+".calls"])/total, 5*sd, op)
		require.Equal(t, n[op+".calls"], n[op+".transactions"])
	}
	require.NotContains(t, n, "metaop.calls")
	require.Equal(t, total, float64(n["transactions"]))
}

func TestSizesByWeight(t *testing.T) {
	conf := &builtin(t, "mailserver").(*ffsb).conf.Filesystems[0]
	r := machine.Rand(1, "sizes")
	seen := map[int64]int{}
	const draws = 100_000
	for range draws {
		seen[drawSize(r, conf)]++
	}
	require.Len(t, seen, len(conf.SizeWeights))
	for _, w := range conf.SizeWeights {
		require.InDelta(t, float64(w.Weight)/100, float64(seen[w.Size])/draws, 0.01)
	}
	even := &profile.Filesystem{MinSize: profile.Value[int64]{V: 10}, MaxSize: profile.Value[int64]{V: 12}}
	for range 100 {
		s := drawSize(r, even)
		require.True(t, s == 10 || s == 11, "the largest size itself is never drawn")
	}
}

func TestOpDelayIsThinkTime(t *testing.T) {
	w := of(t, profileText("4k", "stat_weight=1", "op_delay=10"))
	r := bench{driver: "null", duration: time.Second, set: map[string]string{"fs.shape": "fixed"}}.run(t, w)
	// One operation in 10 ms and the little that it takes itself.
	require.InDelta(t, 99, r.counts()["calls"], 2)
}

// Locks exclude: whoever has a file for writing has it alone.
func TestFileLocksExclude(t *testing.T) {
	m, r, err := onFakes(t, profileText("4k", "stat_weight=1"), newFakeDisks(1, 1<<16, 64), quick)
	require.NoError(t, err)
	l := &r.fs[0].data
	readers, writers := map[*file]int{}, map[*file]int{}
	shared, got := false, 0
	for n := range 16 {
		m.Go(fmt.Sprintf("ffsb-%d", n), n%4, false, func(t *machine.Thread) {
			for !m.Stopping() {
				write := t.Rand().IntN(4) == 0
				f, none := l.choose(t, write, m.Stopping)
				if none {
					panic("a list of ten files is empty")
				}
				if f == nil {
					return
				}
				who := readers
				if write {
					who = writers
				}
				who[f]++
				if writers[f] > 1 || writers[f] == 1 && readers[f] > 0 {
					panic("a file is locked twice")
				}
				shared = shared || readers[f] > 1
				got++
				t.Work(20 * time.Microsecond)
				who[f]--
				f.leave(t, write)
			}
		})
	}
	runFor(t, m, 10*time.Millisecond)
	require.True(t, shared, "readers do not exclude each other")
	require.Greater(t, got, 1000)
}

func TestLocksAreLazy(t *testing.T) {
	disks := newFakeDisks(1, 1<<30, 1024)
	text := strings.Replace(profileText("4k", "stat_weight=1"), "num_files=10", "num_files=100000", 1)
	r, _ := perform(t, text, profile.OpStat, 50, disks)
	made := 0
	for i := range r.fs[0].data.base {
		if r.fs[0].data.base[i].lock.Load() != nil {
			made++
		}
	}
	require.LessOrEqual(t, made, 50)
	require.Positive(t, made)
}

func TestWhereFFSBWouldEnd(t *testing.T) {
	run := func(text string, blocks int64) error {
		m, r, err := onFakes(t, text, newFakeDisks(1, blocks*sectorsPerBlock, 1024), quick)
		if err != nil {
			return err
		}
		if err := r.start(); err != nil {
			return err
		}
		runFor(t, m, 50*time.Millisecond)
		return r.Err()
	}
	require.ErrorContains(t, run(profileText("4k", "create_weight=1", "write_blocksize=4k"), 100),
		"test.ffsb:11: create after ")
	require.ErrorContains(t, run(profileText("4k", "append_weight=1", "write_size=4k", "write_blocksize=4k"), 100),
		"/mnt/a, of 400 KiB, is full, where FFSB ends; legal: larger devices")
	require.ErrorContains(t, run(profileText("4k", "delete_weight=1"), 100),
		"test.ffsb:11: delete after ")
	require.ErrorContains(t, run(profileText("4k", "stat_weight=1"), 10),
		"test.ffsb:5: the files of /mnt/a need 40 KiB, and there are only 40 KiB for them on LUN a; legal: larger devices (device.capacity)")
}

func TestTimeZeroBuildsOnly(t *testing.T) {
	text := strings.Replace(profileText("4k", "stat_weight=1"), "time=1", "time=0", 1)
	r := bench{}.run(t, of(t, text))
	require.NoError(t, r.Err())
	require.Zero(t, r.counts()["calls"])
	require.Contains(t, strings.Join(r.Notes(), "\n"), "FFSB only builds the files")
	require.Zero(t, of(t, text).Duration())
}

func TestAgeing(t *testing.T) {
	text := func(util, weights string) string {
		return `time=1
[filesystem]
location=/a
num_files=1
min_filesize=40k
max_filesize=40k
agefs=1
[threadgroup]
num_threads=2
write_size=12k
write_blocksize=4k
` + weights + `
[end]
desired_util=` + util + `
[end]
[threadgroup]
num_threads=1
stat_weight=1
[end]
`
	}
	age := func(text string) (*run, error) {
		_, r, err := onFakes(t, text, newFakeDisks(1, 5000*sectorsPerBlock, 1024), quick)
		return r, err
	}
	r, err := age(text("0.5", "create_weight=10\nappend_weight=10\ndelete_weight=1"))
	require.NoError(t, err)
	require.InDelta(t, 0.5, r.fs[0].space.util(), 0.01)
	require.Len(t, r.fs[0].data.live, 1, "ageing has a list of its own")
	require.Contains(t, r.notes[1], "/a was aged to 50.0 % by ")
	_, err = age(text("0.5", "create_weight=1\ndelete_weight=100"))
	require.ErrorContains(t, err, "where FFSB ends; legal: a smaller delete_weight")
}

func TestUntilUtilisation(t *testing.T) {
	_, r, err := onFakes(t, strings.Replace(profileText("4k", "stat_weight=1"), "num_files=10", "init_util=0.25", 1), newFakeDisks(1, 1000*sectorsPerBlock, 1024), quick)
	require.NoError(t, err)
	require.Len(t, r.fs[0].data.live, 250)
	_, r, err = onFakes(t, strings.Replace(profileText("4k", "stat_weight=1"), "num_files=10", "init_size=41k", 1), newFakeDisks(1, 1000*sectorsPerBlock, 1024), quick)
	require.NoError(t, err)
	require.Len(t, r.fs[0].data.live, 11)
}

func TestWarnings(t *testing.T) {
	w := of(t, strings.Replace(profileText("4k", "append_weight=1", "write_size=4k", "write_blocksize=4k"), "directio=1", "directio=0", 1))
	require.Equal(t, []string{
		"append and other changes of metadata cost processor time only: no journal, inode or directory is written",
	}, w.Warnings())
	require.Empty(t, builtin(t, "headline").Warnings())
	w = of(t, profileText("4k", "read_weight=1", "read_size=1000", "read_blocksize=100"))
	require.Contains(t, strings.Join(w.Warnings(), "\n"), "1000 is no multiple of 512 bytes")
}
