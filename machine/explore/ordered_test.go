package explore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/machine/explore"
)

// two is a test of two threads on cores of their own.
func two(a, b func(t *thread)) explore.Test {
	return func(m *mach) (func() error, error) {
		m.Go("a", 0, false, a)
		m.Go("b", 1, false, b)
		return nil, nil
	}
}

// Uses of plain fields, and whether anything orders them.
var plain = map[string]struct {
	race bool
	test explore.Test
}{
	"nothing": {true, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		return two(func(t *thread) { t.Touch(l) }, func(t *thread) { t.Touch(l) })(m)
	}},
	"a read": {true, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		return two(func(t *thread) { t.Touch(l) }, func(t *thread) { t.Look(l) })(m)
	}},
	"reads alone": {false, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		return two(func(t *thread) { t.Look(l) }, func(t *thread) { t.Look(l) })(m)
	}},
	"unordered on purpose": {false, func(m *mach) (func() error, error) {
		l := &machine.Line{Class: "registers", Unordered: true}
		return two(func(t *thread) { t.Touch(l) }, func(t *thread) { t.Touch(l) })(m)
	}},
	"a lock": {false, func(m *mach) (func() error, error) {
		l, lk := machine.NewLine("fields"), spin(m, "l")
		use := func(t *thread) { lk.Lock(t); t.Touch(l); lk.Unlock(t) }
		return two(use, use)(m)
	}},
	"a lock, and one use outside": {true, func(m *mach) (func() error, error) {
		l, lk := machine.NewLine("fields"), spin(m, "l")
		return two(
			func(t *thread) { lk.Lock(t); t.Touch(l); lk.Unlock(t) },
			func(t *thread) { lk.Lock(t); lk.Unlock(t); t.Look(l); lk.Lock(t); lk.Unlock(t) },
		)(m)
	}},
	"another lock": {true, func(m *mach) (func() error, error) {
		l, lk, other := machine.NewLine("fields"), spin(m, "l"), spin(m, "m")
		return two(
			func(t *thread) { lk.Lock(t); t.Touch(l); lk.Unlock(t) },
			func(t *thread) { other.Lock(t); t.Touch(l); other.Unlock(t) },
		)(m)
	}},
	"interrupts off, which is nothing": {true, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		var irq machine.IRQ
		irq.Init(m, "isr", machine.Hard, func(t *thread) { t.Touch(l) })
		return two(
			func(t *thread) { off := t.IRQSave(); t.Touch(l); t.IRQRestore(off) },
			func(t *thread) { irq.Raise(t, 0) },
		)(m)
	}},
	"a word": {false, func(m *mach) (func() error, error) {
		l, w := machine.NewLine("fields"), word(0)
		return two(
			func(t *thread) { t.Touch(l); w.Store(t, 1) },
			func(t *thread) {
				if w.Load(t) == 1 {
					t.Touch(l)
				}
			},
		)(m)
	}},
	"a word, stored too early": {true, func(m *mach) (func() error, error) {
		l, w := machine.NewLine("fields"), word(0)
		return two(
			func(t *thread) { w.Store(t, 1); t.Touch(l) },
			func(t *thread) {
				if w.Load(t) == 1 {
					t.Touch(l)
				}
			},
		)(m)
	}},
	"a word's successful swap": {false, func(m *mach) (func() error, error) {
		l, w := machine.NewLine("fields"), word(0)
		use := func(t *thread) {
			if w.CAS(t, 0, 1) {
				t.Touch(l)
				w.CAS(t, 1, 0)
			}
		}
		return two(use, use)(m)
	}},
	"a word's failed swap, which tells nobody": {true, func(m *mach) (func() error, error) {
		l, w := machine.NewLine("fields"), word(0)
		return two(
			func(t *thread) { t.Touch(l); w.CAS(t, 7, 8) },
			func(t *thread) { w.Load(t); t.Touch(l) },
		)(m)
	}},
	"a store that another has overwritten": {true, func(m *mach) (func() error, error) {
		l, w := machine.NewLine("fields"), word(0)
		m.Go("c", 2, false, func(t *thread) { w.Store(t, 2) })
		return two(
			func(t *thread) { t.Touch(l); w.Store(t, 1) },
			func(t *thread) {
				if w.Load(t) == 2 {
					t.Touch(l)
				}
			},
		)(m)
	}},
	"a completion": {false, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		var c machine.Completion
		c.Init()
		return two(
			func(t *thread) { t.Touch(l); c.Complete(t) },
			func(t *thread) { c.Wait(t); t.Touch(l) },
		)(m)
	}},
	"a timer": {false, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		var tm machine.Timer
		tm.Init(m, "timer", machine.Soft, func(t *thread) { t.Touch(l) })
		return two(func(t *thread) { t.Touch(l); tm.Arm(t, 1) }, func(*thread) {})(m)
	}},
	"a timer, armed too early": {true, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		var tm machine.Timer
		tm.Init(m, "timer", machine.Device, func(t *thread) { t.Touch(l) })
		return two(func(t *thread) { tm.Arm(t, 1); t.Touch(l); t.Yield() }, func(*thread) {})(m)
	}},
	"an interrupt": {false, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		var irq machine.IRQ
		irq.Init(m, "soft", machine.Soft, func(t *thread) { t.Touch(l) })
		return two(func(t *thread) { t.Touch(l); irq.Raise(t, 0) }, func(*thread) {})(m)
	}},
	"a reader-writer lock": {false, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		var rw machine.RWMutex
		rw.Init("file")
		return two(
			func(t *thread) { rw.Lock(t); t.Touch(l); rw.Unlock(t) },
			func(t *thread) { rw.RLock(t); t.Look(l); rw.RUnlock(t) },
		)(m)
	}},
	"a reader-writer lock, taken for reading": {true, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		var rw machine.RWMutex
		rw.Init("file")
		use := func(t *thread) { rw.RLock(t); t.Touch(l); rw.RUnlock(t) }
		return two(use, use)(m)
	}},
	"the making of a thread": {false, func(m *mach) (func() error, error) {
		l := machine.NewLine("fields")
		return two(
			func(t *thread) { t.Touch(l); m.Go("c", 1, false, func(t *thread) { t.Touch(l) }) },
			func(*thread) {},
		)(m)
	}},
}

func TestPlainFields(t *testing.T) {
	for name, v := range plain {
		for _, exhaustive := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/exhaustive=%v", name, exhaustive), func(t *testing.T) {
				cfg := explore.Config{Seed: 1, Schedules: 500, Exhaustive: exhaustive, Preemptions: 2}
				r, err := explore.Run(context.Background(), cfg, v.test)
				require.NoError(t, err)
				if !v.race {
					require.Nil(t, r.Failure)
					return
				}
				require.NotNil(t, r.Failure)
				require.Equal(t, explore.Race, r.Failure.Kind, r.Failure.What)
				require.Regexp(t, `at ordered_test.go:\d+.* at ordered_test.go:\d+`, r.Failure.What)
			})
		}
	}
}
