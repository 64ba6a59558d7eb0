package pagecache

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/dispatch"
	"hostlock/dispatch/block"
	_ "hostlock/dispatch/lld"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	_ "hostlock/strategies"
)

// TestWindows follows a sequential reader of single pages at 128 KiB: the
// windows of the kernel are 4 pages, then 8, 16, 32, and 32 from then on, each
// begun when the reader meets the mark of the one before.
func TestWindows(t *testing.T) {
	w := window{max: 32, prev: -1}
	require.True(t, w.next(0, 1, false))
	require.Equal(t, window{start: 0, size: 4, async: 3, max: 32, prev: -1}, w)
	var starts []int64
	var sizes []int
	at := int64(0)
	for range 6 {
		at = w.start + int64(w.size-w.async)
		w.prev = at - 1
		require.True(t, w.next(at, 1, true))
		starts, sizes = append(starts, w.start), append(sizes, w.size)
	}
	require.Equal(t, []int64{4, 12, 28, 60, 92, 124}, starts)
	require.Equal(t, []int{8, 16, 32, 32, 32, 32}, sizes)

	random := window{max: 32, prev: 100}
	require.False(t, random.next(5000, 1, false), "a jump reads what is asked for")
	require.True(t, random.next(101, 1, false), "the page behind the last does not")
	large := window{max: 32, prev: 100}
	require.True(t, large.next(5000, 64, false), "nor does more than a window")
	require.Equal(t, 64, large.size, "and takes the next window along, whose mark it would meet at once")
}

// TestWindowsNeverGoBack: whatever is read, a window lies at or behind what
// was asked for, and is no larger than two windows together.
func TestWindowsNeverGoBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := window{max: rapid.SampledFrom([]int{1, 4, 32, 256}).Draw(t, "max"), prev: -1}
		at := int64(0)
		for n := rapid.IntRange(1, 50).Draw(t, "reads"); n > 0; n-- {
			want := rapid.IntRange(1, 40).Draw(t, "want")
			if rapid.IntRange(0, 3).Draw(t, "jump") == 0 {
				at = rapid.Int64Range(0, 1<<20).Draw(t, "at")
			}
			if w.next(at, want, rapid.Bool().Draw(t, "hit")) {
				if w.start < at-int64(2*w.max) || w.size < 1 || w.size > 2*w.max || w.async < 0 || w.async > w.size {
					t.Fatalf("read %d pages at %d: %+v", want, at, w)
				}
			}
			w.prev = at
			at++
		}
	})
}

type rig struct {
	m   *sim.Sim
	sys *dispatch.System
	c   *Cache
	p   *param.Set
}

func newRig(t *testing.T, set map[string]string) *rig {
	t.Helper()
	m, err := sim.New(sim.Config{Cores: 2, Costs: sim.DefaultCosts(), Seed: 1})
	require.NoError(t, err)
	p, err := dispatch.NewParams("ramdisk")
	require.NoError(t, err)
	p.Declare(Params()...)
	p.Declare(block.Params()...)
	for k, v := range set {
		require.NoError(t, p.Set(k, v))
	}
	sys, err := dispatch.New(m, dispatch.Config{Strategy: "host-lock", Driver: "ramdisk", Params: p})
	require.NoError(t, err)
	return &rig{m, sys, New(sys, p), p}
}

// run runs one thread with a file, and then looks at the ledger.
func (r *rig) run(t *testing.T, d time.Duration, fn func(*machine.Thread, *File)) (commands, sectors int64) {
	t.Helper()
	r.m.Go("one", 0, false, func(th *machine.Thread) {
		plug := block.NewPlug(r.sys, r.sys.NewIssuer(th), r.p)
		f := r.c.Open(r.sys.Devices()[0], plug)
		fn(th, f)
		for !r.m.Stopping() {
			th.Sleep(time.Millisecond)
		}
		require.NoError(t, f.Close(th))
	})
	_, err := r.m.Run(context.Background(), machine.Course{Duration: d, Begin: r.sys.BeginWindow, End: r.sys.EndWindow})
	require.NoError(t, err)
	l := r.sys.Ledger()
	require.Zero(t, l.Lost, "%+v", l)
	w := r.sys.Window()
	return w.Completed, w.Bytes / 512
}

// TestSequentialReadsComeInWindows: a reader of 512 bytes at a time causes few
// commands, and reads no page twice.
func TestSequentialReadsComeInWindows(t *testing.T) {
	const pages = 512
	commands, sectors := newRig(t, nil).run(t, 500*time.Millisecond, func(th *machine.Thread, f *File) {
		for off := int64(0); off < pages*block.PageSize; off += 512 {
			require.NoError(t, f.Read(th, off, 512))
		}
	})
	require.Less(t, commands, int64(25))
	require.GreaterOrEqual(t, sectors, int64(pages*8))
	require.LessOrEqual(t, sectors, int64((pages+64)*8), "at most two windows beyond the end")
	commands, _ = newRig(t, map[string]string{"cache.read_ahead": "0"}).run(t, 500*time.Millisecond, func(th *machine.Thread, f *File) {
		for off := int64(0); off < pages*block.PageSize; off += 512 {
			require.NoError(t, f.Read(th, off, 512))
		}
	})
	require.EqualValues(t, pages, commands, "without read-ahead each page is a command")
}

// TestWritesComeLater: pages are written by the flusher, neighbours together,
// once there are too many or they are too old; fsync does not wait for that.
func TestWritesComeLater(t *testing.T) {
	write := func(th *machine.Thread, f *File, pages int64) {
		for at := range pages {
			require.NoError(t, f.Write(th, at*block.PageSize, block.PageSize))
		}
	}
	commands, _ := newRig(t, nil).run(t, time.Second, func(th *machine.Thread, f *File) { write(th, f, 100) })
	require.Zero(t, commands, "too few to write yet")
	commands, sectors := newRig(t, nil).run(t, 40*time.Second, func(th *machine.Thread, f *File) { write(th, f, 100) })
	require.LessOrEqual(t, commands, int64(2), "old enough after 30 s, and together")
	require.EqualValues(t, 800, sectors)
	commands, sectors = newRig(t, nil).run(t, time.Second, func(th *machine.Thread, f *File) {
		write(th, f, 100)
		require.NoError(t, f.Sync(th))
	})
	require.EqualValues(t, 1, commands)
	require.EqualValues(t, 800, sectors)
	r := newRig(t, map[string]string{"cache.size": "1m"}) // 256 pages, of which 51 may be dirty
	_, sectors = r.run(t, time.Second, func(th *machine.Thread, f *File) {
		for at := range int64(2000) {
			require.NoError(t, f.Write(th, at*block.PageSize, block.PageSize))
			off := f.m.enter(th)
			require.LessOrEqual(t, len(f.m.dirty)+f.m.back, r.c.limit+1)
			require.LessOrEqual(t, len(f.m.pages), r.c.most+1)
			f.m.leave(th, off)
		}
	})
	require.Greater(t, sectors, int64(1900*8))
}

// TestPartOfAPage: a page that is changed in part is read first.
func TestPartOfAPage(t *testing.T) {
	commands, _ := newRig(t, map[string]string{"cache.read_ahead": "0"}).run(t, time.Second, func(th *machine.Thread, f *File) {
		require.NoError(t, f.Write(th, 100*block.PageSize+512, 512))
		require.NoError(t, f.Sync(th))
	})
	require.EqualValues(t, 2, commands)
}
