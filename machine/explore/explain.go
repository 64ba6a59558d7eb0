package explore

// past runs what came before a schedule on the same system, so that the next
// one finds what it found.
func (e *explorer) past(number int) error {
	if number > 0 && e.length == 0 {
		if err := e.one(0, newScript(nil)); err != nil {
			return err
		}
		e.measure()
	}
	e.m.kept = nil
	if number < 0 {
		return nil
	}
	for i := number - number%e.cfg.Reuse; i < number; i++ {
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

// recorded runs a schedule of a number again and writes its deviations down.
func (e *explorer) recorded(number int, with func() (scheduler, error)) ([]deviation, error) {
	if err := e.past(number); err != nil {
		return nil, err
	}
	s, err := with()
	if err != nil {
		return nil, err
	}
	var r recorder
	e.m.watch = &r
	err = e.one(number, s)
	e.m.watch = nil
	return r.list, err
}

func scripted(ds []deviation) func() (scheduler, error) {
	return func() (scheduler, error) { return newScript(ds), nil }
}

// explain turns the schedule that has just failed into a report: it runs it
// again, shortens it, and runs the shortest with a trace.
func (e *explorer) explain(number int, again func() (scheduler, error)) error {
	totals := e.report
	first := *e.m.failure
	first.Index = number
	n := name{seed: e.cfg.Seed, number: number}
	ds, err := e.recorded(number, again)
	if err != nil {
		return err
	}
	same := func() bool { return e.m.failure != nil && e.m.failure.Kind == first.Kind }
	f := &first
	switch {
	case !same():
		// A test that does not do the same every time cannot be explained.
		f.What += " (and another run of the same schedule went differently: the test is not deterministic)"
		f.Schedule = n.String()
	default:
		if !e.cfg.NoShrink {
			ds = shrink(ds, func(cand []deviation) ([]deviation, int, bool) {
				before := e.report.Steps
				got, err := e.recorded(number, scripted(cand))
				return got, int(e.report.Steps - before), err == nil && same()
			})
			n.list, n.listed = ds, true
		} else if number < 0 {
			n.list, n.listed = ds, true
		}
		if f, err = e.fail(n, ds); f != nil {
			f.Index = number
		}
	}
	e.report = totals
	e.report.Failure = f
	return err
}

// fail runs a failing schedule once more with a trace.
func (e *explorer) fail(n name, ds []deviation) (*Failure, error) {
	if err := e.past(n.number); err != nil {
		return nil, err
	}
	e.m.tracing = true
	err := e.one(n.number, newScript(ds))
	e.m.tracing = false
	f := e.m.failure
	if err != nil || f == nil {
		return nil, err
	}
	f.Schedule, f.Switches, f.Steps, f.Trace = n.String(), len(ds), len(e.m.trace), e.m.trace
	return f, nil
}

// record keeps an operation for the report, with the place in the code under
// test that it comes from.
func (m *Machine) record(p *proc, k opKind, o *object) {
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
	m.trace = append(m.trace, s)
}

// recordPlain keeps a use of plain fields, for whoever reads the schedule.
func (m *Machine) recordPlain(p *proc, ln *line, write bool, s Step) {
	k := opRead
	if write {
		k = opWrite
	}
	s.Agent, s.Op, s.Object = p.name, opNames[k], ln.l.Class
	m.trace = append(m.trace, s)
}
