package explore

import (
	"fmt"

	"hostlock/machine"
)

// past runs what came before a schedule on the same system, so that the next
// one finds what it found; on a fresh system nothing did.
func (e *explorer) past(n name) error {
	if n.number > 0 && e.length == 0 {
		if err := e.one(0, newScript(nil)); err != nil {
			return err
		}
		e.measure()
	}
	e.m.kept = nil
	e.m.fresh = n.fresh
	if n.number < 0 || n.fresh {
		return nil
	}
	for i := n.number - n.number%e.cfg.Reuse; i < n.number; i++ {
		s, err := e.number(i)
		if err != nil {
			return err
		}
		if err := e.one(i, s); err != nil {
			return err
		}
	}
	return nil
}

// recorded runs a schedule again and writes its deviations down.
func (e *explorer) recorded(n name, with func() (scheduler, error)) ([]deviation, error) {
	if err := e.past(n); err != nil {
		return nil, err
	}
	s, err := with()
	if err != nil {
		return nil, err
	}
	var r recorder
	e.m.watch = &r
	err = e.one(n.number, s)
	e.m.watch, e.m.fresh = nil, false
	return r.list, err
}

func scripted(ds []deviation) func() (scheduler, error) {
	return func() (scheduler, error) { return newScript(ds), nil }
}

// explain turns the schedule that has just failed into a report: it finds it again
// on a fresh system, shortens it, and runs the shortest with a trace.
func (e *explorer) explain(number int, again func() (scheduler, error)) error {
	totals := e.report
	defer func() { f := e.report.Failure; e.report = totals; e.report.Failure = f }()
	first := *e.m.failure
	first.Index = number
	n := name{seed: e.cfg.Seed, number: number}
	e.report.Failure = &first
	left := ""
	if number >= 0 && number%e.cfg.Reuse != 0 {
		found, err := e.origin(number, &first, again)
		if err != nil {
			return err
		}
		if n.fresh = found >= 0; n.fresh && found != number {
			n.number, first.Index = found, found
			again = func() (scheduler, error) { return e.number(found) }
		} else if !n.fresh {
			left = fmt.Sprintf(" (after the %d schedules before it on the same system; none of %d on a system of its own goes wrong in this way)", number%e.cfg.Reuse, e.freshTries())
		}
	}
	ds, err := e.recorded(n, again)
	if err != nil {
		return err
	}
	same := func() bool { return e.m.failure != nil && e.m.failure.Kind == first.Kind }
	if !same() {
		// A test that does not do the same every time cannot be explained.
		first.What += left + " (and another run of the same schedule went differently: the test is not deterministic)"
		first.Schedule = n.String()
		return nil
	}
	if !e.cfg.NoShrink {
		ds = shrink(ds, func(cand []deviation) ([]deviation, int, bool) {
			before := e.report.Steps
			got, err := e.recorded(n, scripted(cand))
			return got, int(e.report.Steps - before), err == nil && same()
		})
		n.list, n.listed = ds, true
	} else if n.number < 0 {
		n.list, n.listed = ds, true
	}
	f, err := e.fail(n, ds)
	if f != nil {
		f.Index = n.number
		f.What += left
	}
	e.report.Failure = f
	return err
}

// freshTries is how many schedules of their own are looked through for a fault
// that showed on a system which others had used: some seconds, or one where what is
// found is not made shorter either.
func (e *explorer) freshTries() int {
	if e.cfg.NoShrink {
		return 3000
	}
	return 40_000
}

// origin is a schedule that goes wrong by itself, on a fresh system, where one
// that shared a system with others did: the same; one of those before it, whose
// fault was left behind; or another. What goes wrong there may look otherwise, and
// is nearer to the fault. first becomes its failure.
// It is -1 where none is found.
func (e *explorer) origin(number int, first *Failure, again func() (scheduler, error)) (int, error) {
	index := first.Index
	try := func(i int, with func() (scheduler, error)) (bool, error) {
		_, err := e.recorded(name{seed: e.cfg.Seed, number: i, fresh: true}, with)
		f := e.m.failure
		if err != nil || f == nil {
			return false, err
		}
		*first = *f
		first.Index = index
		return true, nil
	}
	if found, err := try(number, again); err != nil || found {
		return number, err
	}
	for i := number - number%e.cfg.Reuse; i < number+e.freshTries(); i++ {
		if i == number {
			continue
		}
		found, err := try(i, func() (scheduler, error) { return e.number(i) })
		if err != nil || found {
			return i, err
		}
	}
	return -1, nil
}

// fail runs a failing schedule once more with a trace.
func (e *explorer) fail(n name, ds []deviation) (*Failure, error) {
	if err := e.past(n); err != nil {
		return nil, err
	}
	e.m.tracing = true
	err := e.one(n.number, newScript(ds))
	e.m.tracing, e.m.fresh = false, false
	f := e.m.failure
	if err != nil || f == nil {
		return nil, err
	}
	e.m.settle()
	share(e.m.trace)
	n.print = fingerprint(e.m.trace)
	f.Alone = n.fresh
	f.Schedule, f.Switches, f.Steps, f.Trace = n.String(), len(ds), len(e.m.trace), e.m.trace
	return f, nil
}

// fingerprint tells whether a schedule still has the steps that it was found
// with: agents, operations and classes, and neither lines nor values.
func fingerprint(trace []Step) uint32 {
	h := uint64(len(trace))
	for i := range trace {
		s := &trace[i]
		h = mix(mix(h, start(s.Agent)), start(s.Op+" "+s.Object))
	}
	return uint32(h>>32) | 1 // 0 is none
}

// holds notes what a word holds before the operation that is recorded last; what
// it holds afterwards is read when the next step begins.
func (m *Machine) holds(w *machine.Word) {
	if m.tracing && w != nil && !m.unwinding {
		s := &m.trace[len(m.trace)-1]
		s.Word, s.Before, m.changing = true, w.Peek(), w
	}
}

// settle reads what the word of the last recorded operation holds now: nobody
// has come in between.
func (m *Machine) settle() {
	if m.changing != nil {
		m.trace[m.settled].After = m.changing.Peek()
		m.changing = nil
	}
}

// record keeps an operation for the report, with the place in the code under
// test that it comes from.
func (m *Machine) record(p *proc, k opKind, o *object) {
	m.settle()
	var s Step
	if k != opBegin {
		s = m.where()
	}
	s.Agent, s.Op = p.name, opNames[k]
	if o != nil {
		if o.nr == 0 {
			o.class.named++
			o.nr = o.class.named
		}
		s.Object = o.class.name + "#" + itoa(o.nr)
	}
	m.settled = len(m.trace)
	m.trace = append(m.trace, s)
}

// recordPlain keeps a use of plain fields, for whoever reads the schedule.
func (m *Machine) recordPlain(p *proc, ln *line, write bool, s Step) {
	k := opRead
	if write {
		k = opWrite
	}
	m.settle()
	s.Agent, s.Op, s.Object = p.name, opNames[k], ln.l.Class
	m.settled = len(m.trace)
	m.trace = append(m.trace, s)
}
