package explore

import (
	"fmt"
	"slices"
)

// A word that holds what it held before, whenever commands run one after
// another, counts something that comes and goes: slots, waiters, a flag. Where
// it does not come back although all commands have ended, something was lost or
// given twice, and it is found in the schedule that lost it, and not in a later
// one that stumbles over it.
//
// Words are told apart by the class of their line: a class whose words came back,
// if only now and then, and that counts (it changes by one at a time, and one of them held
// three values or more), is held to it. Heads of rings, cells, serial numbers do not
// come back, a flag may be left standing where it harms nobody, a list of free slots
// may be in another order: these are listed as unchecked. Plain fields have
// no value that a machine could read.

// sequentialRuns is how many schedules without a switch that could be avoided are
// looked at: in several orders, and of several lengths.
const sequentialRuns = 96

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
// sequential run, and what they held; one that no such run changed is not in it.
type returns map[string]*course

// course is what sequential runs show of a class.
type course struct {
	runs   int  // that changed one of its words
	back   int  // of them, after which all held what they had held
	counts bool // three values or more
	leaps  bool // changes by more than one
}

// count is how many values tell a count from a flag.
const count = 3

// learn takes the value of a word in.
func (w *word) learn() {
	now := w.w.Peek()
	if w.values == nil {
		w.values, w.last = map[uint64]bool{}, w.first
	}
	if by := now - w.last; by != 0 && by != 1 && by != ^uint64(0) {
		w.leaps = true
	}
	w.last = now
	if len(w.values) < count {
		w.values[now] = true
	}
}

// learnReturns runs the sequential schedules, each on a system of its own.
func (e *explorer) learnReturns() error {
	totals := e.report
	defer func() { e.report = totals }()
	e.returns, e.m.learning = returns{}, true
	defer func() { e.m.learning = false }()
	for i := range sequentialRuns {
		s := new(serial)
		s.rng.Seed(e.seedOf(i), 7)
		e.m.kept = nil
		if err := e.one(e.cfg.Reuse*i, s); err != nil {
			return err
		}
		e.m.kept = nil
		if e.m.failure != nil || !e.m.comesBack() {
			continue // a fault that even this shows is found soon
		}
		for _, w := range e.m.words {
			if w.w == nil || w.version == 0 {
				continue // never written: nothing has gone that could come back
			}
			w.learn()
			c := e.returns[w.class.name]
			if c == nil {
				c = &course{}
				e.returns[w.class.name] = c
			}
			if c.runs++; w.w.Peek() == w.first {
				c.back++
			}
			c.counts = c.counts || len(w.values) >= count
			c.leaps = c.leaps || w.leaps
		}
	}
	return nil
}

// astray is a word that should have come back and did not; nil where all did.
func (e *explorer) astray() error {
	if !e.m.comesBack() {
		return nil
	}
	for _, w := range e.m.words {
		if w.w == nil || !w.touched || !e.returns.must(w.class.name) {
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

// ComesBack says that this schedule leaves nothing behind that was not there
// before: see Config.Returns. A test calls it while it sets the schedule up.
func (m *Machine) ComesBack() { m.back = true }

// comesBack reports whether the schedule should have left everything as it was: it
// says so, and no timer is armed, which stands for something that is yet to come.
func (m *Machine) comesBack() bool {
	return m.back && !slices.ContainsFunc(m.agents, func(p *proc) bool { return p.armed })
}

// often is how few of its sequential runs a class must come back in to be held to it
// in all: one in so many. A count that is never given back once in a while comes
// back after short runs, and a serial number after none.
const often = 8

// must reports whether words of a class must come back.
func (r returns) must(class string) bool {
	c := r[class]
	return c != nil && often*c.back >= c.runs && c.counts && !c.leaps
}

// unchecked lists the classes of words that need not come back.
func (r returns) unchecked() []string {
	var out []string
	for class := range r {
		if !r.must(class) {
			out = append(out, class)
		}
	}
	slices.Sort(out)
	return out
}
