package machine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// rawTAS is the lock of the live machine as one would write it by hand.
type rawTAS struct{ state atomic.Uint32 }

func (l *rawTAS) lock() {
	for !l.state.CompareAndSwap(0, 1) {
		l.spin()
	}
}

//go:noinline
func (l *rawTAS) spin() {
	for l.state.Load() != 0 {
	}
}

func (l *rawTAS) unlock() { l.state.Store(0) }

// withThread runs fn on a thread of a live machine.
func withThread(b *testing.B, cfg LiveConfig, fn func(m *Live, th *Thread)) {
	m := newTestLive(b, cfg)
	m.Go("bench", 0, false, func(th *Thread) { fn(m, th) })
	runAll(b, m, Course{})
}

// BenchmarkUncontended is lock and unlock of a free lock, beside the same by
// hand.
func BenchmarkUncontended(b *testing.B) {
	for _, kind := range liveKinds {
		b.Run(kind.String(), func(b *testing.B) {
			withThread(b, LiveConfig{LockKinds: map[string]Kind{"l": kind}}, func(m *Live, th *Thread) {
				var l SpinLock
				l.Init(m, "l")
				for b.Loop() {
					l.Lock(th)
					l.Unlock(th)
				}
			})
		})
	}
	b.Run("raw-tas", func(b *testing.B) {
		var l rawTAS
		for b.Loop() {
			l.lock()
			l.unlock()
		}
	})
	b.Run("raw-mutex", func(b *testing.B) {
		var l sync.Mutex
		for b.Loop() {
			l.Lock()
			l.Unlock()
		}
	})
}

// BenchmarkContended is wall time per acquisition with a thread on each core
// and nothing in the critical section but a count.
func BenchmarkContended(b *testing.B) {
	for _, kind := range liveKinds {
		b.Run(kind.String(), func(b *testing.B) {
			m := newTestLive(b, LiveConfig{LockKinds: map[string]Kind{"l": kind}})
			var l SpinLock
			l.Init(m, "l")
			count := 0
			for i := range m.Cores() {
				n := b.N / m.Cores()
				m.Go(fmt.Sprint("core ", i), i, false, func(th *Thread) {
					for range n {
						l.Lock(th)
						count++
						l.Unlock(th)
					}
				})
			}
			b.ResetTimer()
			runAll(b, m, Course{})
		})
	}
}

// BenchmarkSeam is what the hook costs where there is none: each operation on
// a Word beside the same on sync/atomic.
func BenchmarkSeam(b *testing.B) {
	var raw atomic.Uint64
	var w Word
	w.Init(NewLine("word"), 0)
	line := NewLine("fields")
	b.Run("load/word", func(b *testing.B) {
		withThread(b, LiveConfig{}, func(_ *Live, th *Thread) {
			for b.Loop() {
				w.Load(th)
			}
		})
	})
	b.Run("load/raw", func(b *testing.B) {
		for b.Loop() {
			raw.Load()
		}
	})
	b.Run("store/word", func(b *testing.B) {
		withThread(b, LiveConfig{}, func(_ *Live, th *Thread) {
			for b.Loop() {
				w.Store(th, 1)
			}
		})
	})
	b.Run("store/raw", func(b *testing.B) {
		for b.Loop() {
			raw.Store(1)
		}
	})
	b.Run("add/word", func(b *testing.B) {
		withThread(b, LiveConfig{}, func(_ *Live, th *Thread) {
			for b.Loop() {
				w.Add(th, 1)
			}
		})
	})
	b.Run("add/raw", func(b *testing.B) {
		for b.Loop() {
			raw.Add(1)
		}
	})
	b.Run("cas/word", func(b *testing.B) {
		withThread(b, LiveConfig{}, func(_ *Live, th *Thread) {
			for b.Loop() {
				w.CAS(th, 1, 1)
			}
		})
	})
	b.Run("cas/raw", func(b *testing.B) {
		for b.Loop() {
			raw.CompareAndSwap(1, 1)
		}
	})
	b.Run("section-and-touch", func(b *testing.B) {
		withThread(b, LiveConfig{}, func(_ *Live, th *Thread) {
			for b.Loop() {
				th.Enter(sectionQueue)
				th.Touch(line)
				th.Leave()
			}
		})
	})
}

// BenchmarkWait is one completion given and taken: within one thread, and
// there and back between two.
func BenchmarkWait(b *testing.B) {
	b.Run("same-thread", func(b *testing.B) {
		var c Completion
		c.Init()
		withThread(b, LiveConfig{}, func(_ *Live, th *Thread) {
			for b.Loop() {
				c.Complete(th)
				c.Wait(th)
			}
		})
	})
	b.Run("round-trip", func(b *testing.B) {
		var there, back Completion
		there.Init()
		back.Init()
		withThread(b, LiveConfig{}, func(m *Live, th *Thread) {
			m.Go("echo", 1, true, func(th *Thread) {
				for {
					there.Wait(th)
					back.Complete(th)
				}
			})
			for b.Loop() {
				there.Complete(th)
				back.Wait(th)
			}
		})
	})
}
