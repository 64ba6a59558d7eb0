package designs_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/designs"
	"hostlock/designs/designtest"
	"hostlock/locks"
	"hostlock/machine"
	"hostlock/machine/explore"
)

type thread = machine.Thread

// wrong is a design made of functions, for one mistake each.
type wrong struct {
	write func(t *thread, key int, hold time.Duration)
	read  func(t *thread, key int, hold time.Duration) uint64
	flush func(t *thread)
	sum   func() uint64
}

func (w wrong) Write(t *thread, key int, hold time.Duration)       { w.write(t, key, hold) }
func (w wrong) Read(t *thread, key int, hold time.Duration) uint64 { return w.read(t, key, hold) }
func (w wrong) Sum() uint64                                        { return w.sum() }
func (w wrong) Flush(t *thread) {
	if w.flush != nil {
		w.flush(t)
	}
}

func lockOf(e designs.Env) locks.Lock {
	return e.Kind.New(locks.Env{Machine: e.Machine, Class: designs.Class, Threads: e.Threads})
}

func words(n int) []machine.Word {
	w := make([]machine.Word, n)
	for i := range w {
		w[i].Init(machine.NewLine("counter"), 0)
	}
	return w
}

func sumOf(w []machine.Word) (sum uint64) {
	for i := range w {
		sum += w[i].Peek()
	}
	return sum
}

// What is wrong, and which kinds of finding say so.
var mistakes = map[string]struct {
	kinds []explore.Kind
	make  func(designs.Env) designs.Design
}{
	"no lock": {[]explore.Kind{explore.Race}, func(e designs.Env) designs.Design {
		d := designs.NewData(e.Keys, 1)
		return wrong{
			write: func(t *thread, k int, h time.Duration) { d.Add(t, k, 1, h) },
			read:  func(t *thread, k int, h time.Duration) uint64 { return d.Get(t, k, h) },
			sum:   d.Sum,
		}
	}},
	"reads without the lock": {[]explore.Kind{explore.Race}, func(e designs.Env) designs.Design {
		d, l := designs.NewData(e.Keys, 1), lockOf(e)
		return wrong{
			write: func(t *thread, k int, h time.Duration) { l.Lock(t); d.Add(t, k, 1, h); l.Unlock(t) },
			read:  func(t *thread, k int, h time.Duration) uint64 { return d.Get(t, k, h) },
			sum:   d.Sum,
		}
	}},
	"loads, then stores": {[]explore.Kind{explore.Check}, func(e designs.Env) designs.Design {
		w := words(e.Keys)
		return wrong{
			write: func(t *thread, k int, h time.Duration) { v := w[k].Load(t); t.Work(h); w[k].Store(t, v+1) },
			read:  func(t *thread, k int, h time.Duration) uint64 { return w[k].Load(t) },
			sum:   func() uint64 { return sumOf(w) },
		}
	}},
	"two threads share a counter of their own": {[]explore.Kind{explore.Check}, func(e designs.Env) designs.Design {
		w := words(e.Threads * e.Keys)
		return wrong{
			write: func(t *thread, k int, h time.Duration) {
				own := &w[t.ID()/2*e.Keys+k]
				own.Store(t, own.Load(t)+1)
			},
			read: func(t *thread, k int, h time.Duration) (sum uint64) {
				for i := k; i < len(w); i += e.Keys {
					sum += w[i].Load(t)
				}
				return sum
			},
			sum: func() uint64 { return sumOf(w) },
		}
	}},
	"forgets to release where nothing is to do": {[]explore.Kind{explore.Deadlock, explore.NoProgress, explore.LostWakeup, explore.Ownership}, func(e designs.Env) designs.Design {
		d, l := designs.NewData(e.Keys, 1), lockOf(e)
		return wrong{
			write: func(t *thread, k int, h time.Duration) { l.Lock(t); d.Add(t, k, 1, h); l.Unlock(t) },
			read: func(t *thread, k int, h time.Duration) uint64 {
				l.Lock(t)
				v := d.Get(t, k, h)
				if v > 0 {
					l.Unlock(t)
				}
				return v
			},
			sum: d.Sum,
		}
	}},
	"copies outside the lock": {[]explore.Kind{explore.Check}, func(e designs.Env) designs.Design {
		w, l := words(e.Keys), lockOf(e)
		return wrong{
			write: func(t *thread, k int, h time.Duration) {
				v := w[k].Load(t)
				l.Lock(t)
				w[k].Store(t, v+1)
				l.Unlock(t)
			},
			read: func(t *thread, k int, h time.Duration) uint64 { return w[k].Load(t) },
			sum:  func() uint64 { return sumOf(w) },
		}
	}},
	"keeps a batch back for ever": {[]explore.Kind{explore.Check}, func(e designs.Env) designs.Design {
		w, kept := words(e.Keys), make([]uint64, e.Threads*e.Keys)
		return wrong{
			write: func(t *thread, k int, h time.Duration) {
				own := &kept[t.ID()*e.Keys+k]
				if *own++; *own == 2 {
					w[k].Add(t, 2)
					*own = 0
				}
			},
			read: func(t *thread, k int, h time.Duration) uint64 { return w[k].Load(t) },
			sum:  func() uint64 { return sumOf(w) },
		}
	}},
	"a foreign mutex": {[]explore.Kind{designtest.Free}, func(e designs.Env) designs.Design {
		var mu sync.Mutex
		v := make([]uint64, e.Keys)
		return wrong{
			write: func(t *thread, k int, h time.Duration) { mu.Lock(); v[k]++; mu.Unlock() },
			read:  func(t *thread, k int, h time.Duration) uint64 { mu.Lock(); defer mu.Unlock(); return v[k] },
			sum:   func() uint64 { return v[0] + v[1] },
		}
	}},
	"a foreign atomic": {[]explore.Kind{designtest.Free}, func(e designs.Env) designs.Design {
		v := make([]atomic.Uint64, e.Keys)
		return wrong{
			write: func(t *thread, k int, h time.Duration) { v[k].Add(1) },
			read:  func(t *thread, k int, h time.Duration) uint64 { return v[k].Load() },
			sum:   func() uint64 { return v[0].Load() + v[1].Load() },
		}
	}},
	"sleeps after the last look": {[]explore.Kind{explore.LostWakeup, explore.Deadlock}, func(e designs.Env) designs.Design {
		d, l := designs.NewData(e.Keys, 1), lockOf(e)
		var waiting *machine.Completion
		busy := false // under l
		return wrong{
			write: func(t *thread, k int, h time.Duration) {
				l.Lock(t)
				taken := busy
				busy = true
				l.Unlock(t)
				if taken {
					c := new(machine.Completion)
					c.Init()
					l.Lock(t)
					waiting = c // whoever has released by now wakes nobody
					l.Unlock(t)
					c.Wait(t)
				}
				l.Lock(t)
				d.Add(t, k, 1, h)
				c := waiting
				waiting = nil
				busy = c != nil
				l.Unlock(t)
				if c != nil {
					c.Complete(t)
				}
			},
			read: func(t *thread, k int, h time.Duration) uint64 { l.Lock(t); defer l.Unlock(t); return d.Get(t, k, h) },
			sum:  d.Sum,
		}
	}},
}

// Each planted mistake is found, and as what it is.
func TestMistakesAreFound(t *testing.T) {
	for name, m := range mistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := designtest.Explore(t.Context(), designs.Info{Name: name, Kinds: true, New: m.make}, designtest.Config{})
			require.NoError(t, err)
			require.NotNil(t, r.Failure, "not found in %d schedules", r.Schedules)
			require.Contains(t, m.kinds, r.Failure.Kind, r.Failure.What)
			t.Logf("%s: %v, after %d schedules", name, r.Failure, r.Schedules)
		})
	}
}
