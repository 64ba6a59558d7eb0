package explore

import (
	"context"
	"errors"
	"math"
	"time"
)

// Run explores a test until a schedule fails, all are done, or ctx is; then it
// returns what was done, and ctx's error. Other errors are the test's own, in
// setting up.
func Run(ctx context.Context, cfg Config, test Test) (*Report, error) {
	e := &explorer{m: newMachine(cfg.complete()), test: test}
	e.cfg = e.m.cfg
	defer e.m.Close()
	defer e.m.watched()()
	e.began = time.Now()
	var err error
	if e.cfg.Exhaustive {
		err = e.exhaust(ctx)
	} else {
		err = e.sample(ctx)
	}
	e.report.Elapsed = time.Since(e.began)
	return &e.report, err
}

// Replay runs one schedule again, by the name that a failure gave it, and
// returns the failure, nil where there is none. The configuration and the test
// must be those that it was found with.
func Replay(cfg Config, schedule string, test Test) (*Failure, error) {
	n, err := parseName(schedule)
	if err != nil {
		return nil, err
	}
	cfg.Seed, cfg.NoShrink = n.seed, true
	e := &explorer{m: newMachine(cfg.complete()), test: test}
	e.cfg = e.m.cfg
	defer e.m.Close()
	defer e.m.watched()()
	if cfg.Returns {
		if err := e.learnReturns(); err != nil {
			return nil, err
		}
	}
	rec, err := e.recorded(n, func() (scheduler, error) {
		if n.listed {
			return newScript(n.list), nil
		}
		return e.number(n.number)
	})
	if err != nil {
		return nil, err
	}
	if e.m.failure == nil {
		if n.print != 0 {
			return nil, ErrOutOfDate // what was named fails
		}
		return nil, nil
	}
	f, err := e.fail(n, rec)
	if f != nil && n.print != 0 && fingerprint(f.Trace) != n.print {
		f.Changed = true
	}
	return f, err
}

// ErrOutOfDate says that a schedule which a finding named goes another way now.
var ErrOutOfDate = errors.New("this schedule no longer fits the program: it has other steps than the finding had, and ends well; only a new search says whether the fault is gone")

// Report is what an exploration did.
type Report struct {
	Schedules int   // run to their end
	Steps     int64 // operations, in all of them
	Longest   int   // operations in the longest
	Agents    int   // most in one: threads, handlers, timers
	// Length is the number of operations that PCT schedules take a test to have
	// (k of its stated probability).
	Length  int
	Elapsed time.Duration
	Failure *Failure // nil where nothing failed
	// Unchecked are the classes of words that need not come back to where they
	// were once all has ended: see Config.Returns.
	Unchecked []string

	// Of an exhaustive run. Distinct is how many of the orders that were run
	// to their end differ in the order of dependent operations; Cut is how
	// many were left because they had come to where another had been; Complete
	// says that there is none left within the bound.
	Distinct, Cut int
	Complete      bool
	// Share is how much of the decisions' tree an exhaustive run has been through,
	// 0 to 1, if all branches of a fork were alike, which they are not.
	Share float64
}

// Probability is what PCT promises for one of its schedules: to find a fault of
// a depth with at least this probability.
func (r *Report) Probability(depth int) float64 {
	p := 1 / float64(max(r.Agents, 1))
	for range depth - 1 {
		p /= float64(max(r.Length, 1))
	}
	return p
}

// Chance is the probability that a fault of a depth shows in at least one of so
// many PCT schedules: 1-(1-p)^n, p what [Report.Probability] promises of each.
func (r *Report) Chance(depth, schedules int) float64 {
	p := r.Probability(depth)
	if p >= 1 && schedules > 0 {
		return 1
	}
	return -math.Expm1(float64(schedules) * math.Log1p(-p))
}

// explorer is the state of an exploration.
type explorer struct {
	cfg    Config
	m      *Machine
	test   Test
	report Report
	walk   walk
	pct    pct
	length int
	began  time.Time
	// returns are the classes of words that come back; nil where nobody asks.
	returns returns
}

// one runs a schedule of a number, in what the one before it left where that
// may be used, and there is any.
func (e *explorer) one(number int, s scheduler) error {
	m := e.m
	if seed := e.seedOf(number); m.kept != nil && number%e.cfg.Reuse != 0 && !m.fresh {
		m.proceed(seed, s)
	} else {
		m.begin(seed, s)
	}
	check, err := e.test(m)
	if err != nil {
		return err
	}
	m.run()
	if m.failure == nil && !s.over() {
		var err error
		if check != nil {
			err = check()
		}
		if err == nil {
			err = e.astray()
		}
		if err != nil {
			m.failure, m.kept = &Failure{Kind: Check, What: err.Error()}, nil
		}
	}
	e.report.Steps += int64(m.steps)
	e.report.Longest = max(e.report.Longest, m.steps)
	e.report.Agents = max(e.report.Agents, len(m.agents))
	return nil
}

// seedOf is the seed of a schedule's random numbers.
func (e *explorer) seedOf(number int) uint64 { return mix(e.cfg.Seed, uint64(number+1)) }

// number is the scheduler of the schedule of a number. The first is the
// default one, whose length those of PCT are drawn for.
func (e *explorer) number(i int) (scheduler, error) {
	switch {
	case i == 0:
		return newScript(nil), nil
	case i%2 == 1:
		e.walk.reset(e.seedOf(i))
		return &e.walk, nil
	}
	depth := 2 + i/2%max(e.cfg.Depth-1, 1)
	e.pct.reset(e.seedOf(i), depth, e.length)
	return &e.pct, nil
}

// measure takes the length of the default schedule, and a quarter more, for
// that of all.
func (e *explorer) measure() {
	e.length = e.m.steps * 5 / 4
	e.report.Length = e.length
}

func (e *explorer) sample(ctx context.Context) error {
	if e.cfg.Returns {
		if err := e.learnReturns(); err != nil {
			return err
		}
		e.report.Unchecked = e.returns.unchecked()
	}
	for i := range e.cfg.Schedules {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := e.number(i)
		if err != nil {
			return err
		}
		if err := e.one(i, s); err != nil {
			return err
		}
		if i == 0 {
			e.measure()
		}
		e.report.Schedules++
		e.progress(nil)
		if e.m.failure != nil {
			return e.explain(i, func() (scheduler, error) { return e.number(i) })
		}
	}
	return nil
}

func (e *explorer) exhaust(ctx context.Context) error {
	s := newSearch(e.cfg)
	e.m.exhaustive = true
	distinct := map[uint64]struct{}{}
	defer func() {
		if e.report.Share = s.share(); e.report.Complete {
			e.report.Share = 1
		}
	}()
	for n := 0; e.cfg.Schedules == 0 || n < e.cfg.Schedules; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.rewind()
		if err := e.one(-1, s); err != nil {
			return err
		}
		if s.grew && s.cutting {
			s.restart()
			clear(distinct)
			e.report.Schedules, e.report.Distinct, e.report.Cut = 0, 0, 0
			continue
		}
		if e.m.failure != nil {
			e.report.Schedules++
			return e.explain(-1, func() (scheduler, error) { s.rewind(); return s, nil })
		}
		if s.cut {
			e.report.Cut++
		} else {
			e.report.Schedules++
			distinct[e.m.signature] = struct{}{}
			e.report.Distinct = len(distinct)
		}
		e.progress(s)
		if !s.advance() {
			e.report.Complete = true
			break
		}
	}
	return nil
}

// progress tells how far the run is, now and then.
func (e *explorer) progress(s *search) {
	const often = 256
	if r := &e.report; e.cfg.Progress != nil && (r.Schedules+r.Cut)%often == 0 {
		r.Elapsed = time.Since(e.began)
		if s != nil {
			r.Share = s.share()
		}
		e.cfg.Progress(*r)
	}
}
