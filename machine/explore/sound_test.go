package explore_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/machine/explore"
)

// What is right must pass: the corrected form of each.
func TestNoFalseAlarm(t *testing.T) {
	right := map[string]explore.Test{
		"update": func(m *mach) (func() error, error) {
			w := word(0)
			for i := range 3 {
				m.Go(fmt.Sprint("t", i), i, false, func(t *thread) {
					for v := w.Load(t); !w.CAS(t, v, v+1); v = w.Load(t) {
					}
				})
			}
			return equal(w, 3), nil
		},
		"wake-up": func(m *mach) (func() error, error) {
			value, waits := word(0), word(0)
			var c machine.Completion
			c.Init()
			m.Go("consumer", 0, false, func(t *thread) {
				waits.Store(t, 1)
				if value.Load(t) == 0 {
					c.Wait(t)
				}
			})
			m.Go("producer", 1, false, func(t *thread) {
				value.Store(t, 1)
				if waits.Load(t) != 0 {
					c.Complete(t)
				}
			})
			return nil, nil
		},
		"interrupts off around a handler's lock": func(m *mach) (func() error, error) {
			l := spin(m, "host_lock")
			n := 0
			var hard machine.IRQ
			hard.Init(m, "isr", machine.Hard, func(t *thread) { l.Lock(t); n++; l.Unlock(t) })
			for i := range 2 {
				m.Go(fmt.Sprint("t", i), i, false, func(t *thread) {
					hard.Raise(t, 0)
					off := t.IRQSave()
					l.Lock(t)
					n += 10
					l.Unlock(t)
					t.IRQRestore(off)
				})
			}
			return func() error {
				if n != 21 && n != 22 {
					return fmt.Errorf("n is %d", n)
				}
				return nil
			}, nil
		},
		"wait for another word than the one relaxed on": func(m *mach) (func() error, error) {
			a, b := word(0), word(0)
			m.Go("waiter", 0, false, func(t *thread) {
				for a.Load(t) == 0 {
					t.Relax(b)
				}
			})
			m.Go("setter", 1, false, func(t *thread) { a.Store(t, 1) })
			return nil, nil
		},
		"threads of one core": func(m *mach) (func() error, error) {
			l := spin(m, "l")
			w := word(0)
			for i := range 3 {
				m.Go(fmt.Sprint("t", i), 0, false, func(t *thread) {
					off := t.IRQSave()
					l.Lock(t)
					w.Store(t, w.Load(t)+1)
					l.Unlock(t)
					t.IRQRestore(off)
					t.Yield()
					t.Sleep(1)
				})
			}
			return equal(w, 3), nil
		},
		"reader-writer lock": func(m *mach) (func() error, error) {
			var rw machine.RWMutex
			rw.Init("file")
			w := word(0)
			for i := range 2 {
				m.Go(fmt.Sprint("w", i), i, false, func(t *thread) {
					rw.Lock(t)
					w.Store(t, w.Load(t)+1)
					rw.Unlock(t)
				})
				m.Go(fmt.Sprint("r", i), i+2, false, func(t *thread) {
					rw.RLock(t)
					w.Load(t)
					rw.RUnlock(t)
				})
			}
			return equal(w, 2), nil
		},
	}
	for name, test := range right {
		for _, exhaustive := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/exhaustive=%v", name, exhaustive), func(t *testing.T) {
				cfg := explore.Config{Seed: 1, Schedules: 2000, Exhaustive: exhaustive, Preemptions: 3}
				r, err := explore.Run(context.Background(), cfg, test)
				require.NoError(t, err)
				if r.Failure != nil {
					var b bytes.Buffer
					require.NoError(t, r.Failure.Print(&b, nil))
					t.Fatal(b.String())
				}
				if exhaustive {
					require.True(t, r.Complete || r.Schedules+r.Cut >= cfg.Schedules)
					t.Logf("%d orders, %d distinct, %d cut", r.Schedules, r.Distinct, r.Cut)
				}
			})
		}
	}
}
