package explore

import (
	"fmt"
	"maps"
	"slices"
)

// A word that holds what it held before, whenever commands run one after
// another, counts something that comes and goes: slots, waiters, a flag. Where
// it does not come back although all commands have ended, something was lost or
// given twice, and it is found in the schedule that lost it, and not in a later
// one that stumbles over it.
//
// Words are told apart by the class of their line: a class whose words always
// came back is held to it. Heads of rings, cells, serial numbers do not come back,
// and are listed as unchecked. Plain fields have no value that a machine could
// read.

// sequentialRuns is how many schedules without a switch that could be avoided are
// looked at: in several orders, and of several lengths.
const sequentialRuns = 48

// serial runs whoever is at it as long as that can go on, and then anybody.
type serial struct{ walk }

func (s *serial) pick(m *Machine, cur *proc) *proc {
	if cur != nil && !cur.op.gives() && cur.enabled() {
		return cur
	}
	ready := m.possible()
	soon := ready[:0:0]
	for _, p := range ready {
		if p.kind != kindTimer && !p.op.gives() {
			soon = append(soon, p)
		}
	}
	switch {
	case len(soon) > 0:
		return soon[s.rng.Uint64()%uint64(len(soon))]
	case len(ready) > 0:
		return ready[s.rng.Uint64()%uint64(len(ready))]
	}
	return nil
}

// returns says of each class of words whether they came back in every
// sequential run; one that no such run touched is not in it.
type returns map[string]bool

// learnReturns runs the sequential schedules, each on a system of its own.
func (e *explorer) learnReturns() error {
	totals := e.report
	defer func() { e.report = totals }()
	e.returns = returns{}
	for i := range sequentialRuns {
		s := new(serial)
		s.rng.Seed(e.seedOf(i), 7)
		e.m.kept = nil
		if err := e.one(e.cfg.Reuse*i, s); err != nil {
			return err
		}
		e.m.kept = nil
		if e.m.failure != nil {
			continue // a fault that even this shows is found soon
		}
		for _, w := range e.m.words {
			if w.w == nil {
				continue
			}
			class := w.class.name
			back := w.w.Peek() == w.first
			if was, known := e.returns[class]; !known || was {
				e.returns[class] = back
			}
		}
	}
	return nil
}

// astray is a word that should have come back and did not; nil where all did.
func (e *explorer) astray() error {
	for _, w := range e.m.words {
		if w.w == nil || !w.touched || !e.returns[w.class.name] {
			continue
		}
		if now := w.w.Peek(); now != w.first {
			if w.nr == 0 {
				w.class.named++
				w.nr = w.class.named
			}
			return fmt.Errorf("after all commands ended, %s#%d is %d, was %d", w.class.name, w.nr, now, w.first)
		}
	}
	return nil
}

// unchecked lists the classes of words that do not come back in sequential runs.
func (r returns) unchecked() []string {
	return slices.Sorted(maps.Keys(maps.Collect(func(yield func(string, bool) bool) {
		for class, back := range r {
			if !back && !yield(class, back) {
				return
			}
		}
	})))
}
