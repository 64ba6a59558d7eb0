package explore

// recorded runs a schedule and writes its deviations down.
func (e *explorer) recorded(seed uint64, s scheduler) ([]deviation, error) {
	var r recorder
	e.m.watch = &r
	err := e.one(seed, s)
	e.m.watch = nil
	return r.list, err
}

// explain turns the schedule that has just failed into a report: it runs it
// again, shortens it, and runs the shortest with a trace.
func (e *explorer) explain(number int, again func() (scheduler, error)) error {
	kind := e.m.failure.Kind
	first := *e.m.failure
	seed := e.seedOf(number)
	totals := e.report
	s, err := again()
	if err != nil {
		return err
	}
	ds, err := e.recorded(seed, s)
	if err != nil {
		return err
	}
	n := name{seed: e.cfg.Seed, number: number}
	if e.m.failure == nil || e.m.failure.Kind != kind {
		// A test that does not do the same every time cannot be explained.
		first.What += " (and another run of the same schedule went differently: the test is not deterministic)"
		first.Schedule, first.Index = n.String(), number
		e.report = totals
		e.report.Failure = &first
		return nil
	}
	if !e.cfg.NoShrink {
		ds = shrink(ds, func(cand []deviation) ([]deviation, bool) {
			got, err := e.recorded(seed, newScript(cand))
			return got, err == nil && e.m.failure != nil && e.m.failure.Kind == kind
		})
	}
	n.list, n.listed = ds, true
	f, err := e.fail(n, ds)
	e.report = totals
	if f == nil {
		f = &first
		f.Schedule = name{seed: e.cfg.Seed, number: number}.String()
	}
	f.Index = number
	e.report.Failure = f
	return err
}

// fail runs a failing schedule once more with a trace.
func (e *explorer) fail(n name, ds []deviation) (*Failure, error) {
	e.m.tracing = true
	err := e.one(e.seedOf(n.number), newScript(ds))
	e.m.tracing = false
	f := e.m.failure
	if err != nil || f == nil {
		return nil, err
	}
	f.Schedule, f.Switches, f.Steps, f.Trace = n.String(), len(ds), len(e.m.trace), e.m.trace
	return f, nil
}
