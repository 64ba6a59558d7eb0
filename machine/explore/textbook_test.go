package explore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hostlock/machine"
	"hostlock/machine/explore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type (
	thread = machine.Thread
	mach   = explore.Machine
)

func word(v uint64) *machine.Word {
	w := new(machine.Word)
	w.Init(machine.NewLine("word"), v)
	return w
}

func spin(m *mach, class string) *machine.SpinLock {
	l := new(machine.SpinLock)
	l.Init(m, class)
	return l
}

// equal is a check that a word has a value in the end.
func equal(w *machine.Word, want uint64) func() error {
	return func() error {
		if got := w.Peek(); got != want {
			return fmt.Errorf("the word is %d, not %d", got, want)
		}
		return nil
	}
}

// Faults from textbooks, and the check that must find each.
var textbook = []struct {
	name string
	kind explore.Kind
	test explore.Test
}{
	{"lost update", explore.Check, func(m *mach) (func() error, error) {
		w := word(0)
		for i := range 2 {
			m.Go(fmt.Sprint("t", i), i, false, func(t *thread) { w.Store(t, w.Load(t)+1) })
		}
		return equal(w, 2), nil
	}},
	{"deadlock by order", explore.Deadlock, func(m *mach) (func() error, error) {
		// Three locks in a circle: no two threads take the same two.
		l := []*machine.SpinLock{spin(m, "a"), spin(m, "b"), spin(m, "c")}
		for i := range 3 {
			m.Go(fmt.Sprint("t", i), i, false, func(t *thread) {
				l[i].Lock(t)
				l[(i+1)%3].Lock(t)
				l[(i+1)%3].Unlock(t)
				l[i].Unlock(t)
			})
		}
		return nil, nil
	}},
	{"lock order, in any schedule", explore.LockOrder, func(m *mach) (func() error, error) {
		a, b := spin(m, "a"), spin(m, "b")
		for i := range 2 {
			m.Go(fmt.Sprint("t", i), i, false, func(t *thread) {
				a.Lock(t)
				b.Lock(t)
				b.Unlock(t)
				a.Unlock(t)
				a, b = b, a
			})
		}
		return nil, nil
	}},
	{"lost wake-up", explore.LostWakeup, func(m *mach) (func() error, error) {
		// The flag that says that somebody waits is read before the value is
		// there, and the value before the flag.
		value, waits := word(0), word(0)
		var c machine.Completion
		c.Init()
		m.Go("consumer", 0, false, func(t *thread) {
			if value.Load(t) == 0 {
				waits.Store(t, 1)
				c.Wait(t)
			}
		})
		m.Go("producer", 1, false, func(t *thread) {
			waiting := waits.Load(t)
			value.Store(t, 1)
			if waiting != 0 {
				c.Complete(t)
			}
		})
		return nil, nil
	}},
	{"ABA", explore.Check, func(m *mach) (func() error, error) {
		// A stack of nodes 1 and 2 by index, without a count in its head.
		head := word(1)
		next := []*machine.Word{nil, word(2), word(0)}
		taken := word(0)
		pop := func(t *thread) uint64 {
			for {
				h := head.Load(t)
				if h == 0 {
					return 0
				}
				if head.CAS(t, h, next[h].Load(t)) {
					return h
				}
			}
		}
		m.Go("a", 0, false, func(t *thread) {
			if n := pop(t); n != 0 {
				taken.Add(t, 1<<(8*n))
			}
		})
		m.Go("b", 1, false, func(t *thread) {
			first, second := pop(t), pop(t)
			if second != 0 {
				taken.Add(t, 1<<(8*second))
			}
			if first != 0 { // push it back
				for {
					h := head.Load(t)
					next[first].Store(t, h)
					if head.CAS(t, h, first) {
						break
					}
				}
			}
		})
		return func() error {
			n := taken.Peek()
			for h := head.Peek(); h != 0; h = next[h].Peek() {
				n += 1 << (8 * h)
			}
			if n != 1<<8+1<<16 {
				return fmt.Errorf("nodes are in two places: %#x", n)
			}
			return nil
		}, nil
	}},
	{"handler takes a lock taken with interrupts on", explore.InterruptSafety, func(m *mach) (func() error, error) {
		l := spin(m, "host_lock")
		var irq machine.IRQ
		irq.Init(m, "isr", machine.Hard, func(t *thread) { l.Lock(t); l.Unlock(t) })
		m.Go("t", 0, false, func(t *thread) {
			irq.Raise(t, 0)
			l.Lock(t)
			l.Unlock(t)
		})
		return nil, nil
	}},
	{"softirq ends with interrupts off", explore.InterruptSafety, func(m *mach) (func() error, error) {
		var irq machine.IRQ
		irq.Init(m, "soft", machine.Soft, func(t *thread) { t.IRQSave() })
		m.Go("t", 0, false, func(t *thread) { irq.Raise(t, 0) })
		return nil, nil
	}},
	{"sleep with interrupts off", explore.Sleeping, func(m *mach) (func() error, error) {
		m.Go("t", 0, false, func(t *thread) {
			t.IRQSave()
			t.Sleep(1)
			t.IRQRestore(false)
		})
		return nil, nil
	}},
	{"sleep in a handler", explore.Sleeping, func(m *mach) (func() error, error) {
		var rw machine.RWMutex
		rw.Init("file")
		var irq machine.IRQ
		irq.Init(m, "soft", machine.Soft, func(t *thread) { rw.Lock(t); rw.Unlock(t) })
		m.Go("t", 0, false, func(t *thread) { irq.Raise(t, 1) })
		return nil, nil
	}},
	{"missing unlock", explore.Ownership, func(m *mach) (func() error, error) {
		l := spin(m, "l")
		m.Go("t", 0, false, func(t *thread) { l.Lock(t) })
		return nil, nil
	}},
	{"unlock of another's lock", explore.Ownership, func(m *mach) (func() error, error) {
		l := spin(m, "l")
		m.Go("t", 0, false, func(t *thread) { l.Unlock(t) })
		return nil, nil
	}},
	{"endless retry", explore.NoProgress, func(m *mach) (func() error, error) {
		w := word(0)
		m.Go("t", 0, false, func(t *thread) {
			for w.Load(t) == 0 {
				t.Relax(w)
			}
		})
		return nil, nil
	}},
	{"endless loop", explore.NoProgress, func(m *mach) (func() error, error) {
		w := word(0)
		m.Go("t", 0, false, func(t *thread) {
			for w.Load(t) == 0 {
			}
		})
		return nil, nil
	}},
	{"panic", explore.Panicked, func(m *mach) (func() error, error) {
		w := word(0)
		m.Go("a", 0, false, func(t *thread) { w.Store(t, 1) })
		m.Go("b", 1, false, func(t *thread) {
			if w.Load(t) == 1 {
				panic("seen")
			}
		})
		return nil, nil
	}},
	{"timer against its disarming", explore.Check, func(m *mach) (func() error, error) {
		// Whoever disarms believes that the timer has not fired.
		fired := word(0)
		var tm machine.Timer
		tm.Init(m, "timeout", machine.Device, func(t *thread) { fired.Store(t, 1) })
		m.Go("t", 0, false, func(t *thread) {
			tm.Arm(t, 1)
			tm.Disarm(t)
		})
		return equal(fired, 0), nil
	}},
}

func TestTextbook(t *testing.T) {
	for _, v := range textbook {
		for _, exhaustive := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/exhaustive=%v", v.name, exhaustive), func(t *testing.T) {
				cfg := explore.Config{Seed: 7, Schedules: 5000, Exhaustive: exhaustive, Preemptions: 2, MaxSteps: 2000}
				r, err := explore.Run(context.Background(), cfg, v.test)
				require.NoError(t, err)
				require.NotNil(t, r.Failure, "not found in %d schedules", r.Schedules)
				f := r.Failure
				require.Equal(t, v.kind, f.Kind, f.What)
				require.NotEmpty(t, f.Trace)

				again, err := explore.Replay(cfg, f.Schedule, v.test)
				require.NoError(t, err)
				require.NotNil(t, again)
				require.Equal(t, f.What, again.What)
				require.Equal(t, f.Trace, again.Trace)
			})
		}
	}
}

// A trace names the line of the code under test.
func TestTraceNamesSource(t *testing.T) {
	r, err := explore.Run(context.Background(), explore.Config{Seed: 1}, textbook[0].test)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, r.Failure.Print(&b, nil))
	require.Contains(t, b.String(), "textbook_test.go:")
	require.LessOrEqual(t, r.Failure.Switches, 2, b.String())
	t.Log(b.String())
}
