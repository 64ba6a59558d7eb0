package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/experiment/derive"
	"hostlock/experiment/evidence"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/results"
)

// How long a run measures where nothing says so, at most: each is one of tens.
const (
	mostSim  = time.Second // virtual
	mostLive = 5 * time.Second
)

// LeastLive is the least number of runs of a side on this computer: with fewer
// there is no interval of a median that holds at 95 %.
const LeastLive = 6

// Request is what is compared. What [experiment.Request] says holds for all
// sides; its Strategy and Seed are each run's own.
type Request struct {
	Experiment *spec.Spec
	Sides      []Side
	Seeds      []uint64
	All        experiment.Request
	// Sets are parameter sets that fit as well; nil where none are known.
	Sets *evidence.Sets
}

// Plan is a comparison that can be run: every run of it was found legal.
type Plan struct {
	req   Request
	runs  [][]*experiment.Plan // by side, by seed
	fits  [][]*experiment.Plan // by side, by parameter set
	alike string               // why no parameter sets belong to it; "" where they do, or there are none
}

// NewPlan checks a request and every run that it asks for, before anything is
// run. Its error is a [spec.UsageError].
func NewPlan(r Request) (*Plan, error) {
	live := r.All.Machine == "live"
	if live && len(r.Seeds) < LeastLive {
		return nil, spec.Usagef("%s a side on this computer; legal: %d or more, by --runs or --seeds", results.Count(len(r.Seeds), "run"), LeastLive)
	}
	p := &Plan{req: r}
	if live || r.All.Workload != "" || r.All.Driver != "" {
		p.alike = "no range over parameter sets: those that are known were fitted to another machine, driver or load"
		p.req.Sets = nil
	}
	for _, side := range r.Sides {
		var runs []*experiment.Plan
		for _, seed := range r.Seeds {
			plan, err := p.one(r.Experiment, side, seed, p.window(r.Experiment, live), nil)
			if err != nil {
				return nil, err
			}
			runs = append(runs, plan)
		}
		p.runs = append(p.runs, runs)
		var fits []*experiment.Plan
		for _, set := range p.sets() {
			plan, err := p.one(set.Apply(r.Experiment), side, r.Experiment.Seed, p.window(r.Experiment, live)/glance, &set)
			if err != nil {
				return nil, spec.Usagef("a parameter set: %w", err)
			}
			fits = append(fits, plan)
		}
		p.fits = append(p.fits, fits)
	}
	return p, nil
}

func (p *Plan) sets() []evidence.Values {
	if p.req.Sets == nil {
		return nil
	}
	return p.req.Sets.Sets
}

// window is how long a run measures.
func (p *Plan) window(s *spec.Spec, live bool) time.Duration {
	switch {
	case p.req.All.Duration > 0:
		return p.req.All.Duration
	case live:
		return min(cmp.Or(s.LiveDuration, mostLive), mostLive)
	}
	return min(cmp.Or(s.Duration, mostSim), mostSim)
}

// one is one run: a parameter set's values under what all sides have, and those
// under the side's own.
func (p *Plan) one(s *spec.Spec, side Side, seed uint64, window time.Duration, set *evidence.Values) (*experiment.Plan, error) {
	r := p.req.All
	r.Strategy, r.Seed, r.Duration = side.Strategy, experiment.SeedOf(seed), window
	r.Set = slices.Concat(p.req.All.Set, side.Set)
	if set != nil {
		r.Set = slices.Concat(set.Set, r.Set)
	}
	return experiment.NewPlan(s, r)
}

// Live reports whether it is for this computer's own cores.
func (p *Plan) Live() bool { return p.req.All.Machine == "live" }

// Estimate is about how long this computer is kept busy by a live comparison.
func (p *Plan) Estimate() time.Duration {
	var d time.Duration
	for _, side := range p.runs {
		for _, plan := range side {
			d += plan.Estimate(experiment.Options{})
		}
	}
	if derive.Wanted(p.runs[0][0]) {
		d += derive.Time
	}
	return d
}

// Options say how a plan is run, which changes no figure but a live one's.
type Options struct {
	Run    experiment.Runner // nil is [experiment.Run]
	Derive func(context.Context, *experiment.Plan) (*experiment.Plan, error)
	// Progress, where not nil, is called with the share of all runs that is over.
	Progress func(float64)
}

// Run runs every side with every seed, and in virtual time with every parameter
// set. Its error wraps the context's where ctx was cancelled: an answer from
// half the runs is none.
func (p *Plan) Run(ctx context.Context, o Options) (*Report, error) {
	if o.Run == nil {
		o.Run = experiment.Run
	}
	rep := &Report{plan: p, Note: p.alike}
	for i, side := range p.req.Sides {
		rep.Sides = append(rep.Sides, Series{Name: side.Name, Runs: make([]*results.Result, len(p.runs[i]))})
		rep.fits = append(rep.fits, make([]*results.Result, len(p.fits[i])))
	}
	err := p.simulate(ctx, rep, o)
	if p.Live() {
		err = p.measure(ctx, rep, o)
	}
	if err != nil {
		return nil, err
	}
	for i := range rep.Sides {
		next := ""
		if i > 0 && !p.Live() {
			if next, err = p.bound(ctx, p.runs[i][0], rep.Sides[i].Runs[0], o); err != nil {
				return nil, err
			}
		}
		rep.next = append(rep.next, next)
	}
	return rep, rep.compare()
}

// simulate runs all of it in virtual time.
func (p *Plan) simulate(ctx context.Context, rep *Report, o Options) error {
	if p.Live() {
		return nil
	}
	var runs []run
	for i := range p.runs {
		for j, plan := range p.runs[i] {
			runs = append(runs, run{plan, &rep.Sides[i].Runs[j]})
		}
		for j, plan := range p.fits[i] {
			runs = append(runs, run{plan, &rep.fits[i][j]})
		}
	}
	const first = 0.8 // of the work, about
	if err := all(ctx, runs, o, 0, first); err != nil {
		return err
	}
	runs, err := p.outermost(rep)
	if err != nil {
		return err
	}
	return all(ctx, runs, o, first, 1)
}

// run is one run of a plan, and where its result goes.
type run struct {
	plan *experiment.Plan
	to   **results.Result
}

// all runs them side by side; from and to are their part of the whole work.
func all(ctx context.Context, runs []run, o Options, from, to float64) error {
	var progress func(float64)
	if o.Progress != nil {
		progress = func(share float64) { o.Progress(from + share*(to-from)) }
	}
	return experiment.Each(ctx, len(runs), progress, func(ctx context.Context, i int) (err error) {
		*runs[i].to, err = Whole(ctx, o.Run, runs[i].plan, experiment.Options{})
		return err
	})
}

// measure runs the sides on this computer by turns, so that a disturbance of
// some seconds, or a drift of the clock rate, meets all of them.
func (p *Plan) measure(ctx context.Context, rep *Report, o Options) error {
	calibration := machine.Calibrate()
	var derived *experiment.Derived
	for j := range p.req.Seeds {
		for i := range p.runs {
			plan := p.runs[i][j]
			var err error
			if derived == nil && derive.Wanted(plan) {
				if plan, err = o.Derive(ctx, plan); err != nil {
					return err
				}
				derived = plan.Request().Derived
			} else if derived != nil { // one load for all
				r := plan.Request()
				r.Derived = derived
				if plan, err = experiment.NewPlan(plan.Spec(), r); err != nil {
					return err
				}
			}
			if rep.Sides[i].Runs[j], err = Whole(ctx, o.Run, plan, experiment.Options{Calibration: calibration}); err != nil {
				return err
			}
			if o.Progress != nil {
				o.Progress(float64(j*len(p.runs)+i+1) / float64(len(p.req.Seeds)*len(p.runs)))
			}
		}
	}
	return nil
}

// Whole runs a plan to its end: a part of a window is no figure to compare, and
// nor is one of a run that lost commands.
func Whole(ctx context.Context, run experiment.Runner, plan *experiment.Plan, opts experiment.Options) (*results.Result, error) {
	r, err := run(ctx, plan, opts)
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case r.Commands.Lost != 0:
		return nil, fmt.Errorf("%d commands were lost under strategy %s", r.Commands.Lost, r.Experiment.Strategy)
	}
	return r, nil
}

// usedToFit reports whether the answer is one that the experiment's fitted values
// were chosen by: the rates of both strategies, as the published table has them.
func (p *Plan) usedToFit() bool {
	e := p.req.Experiment
	for i := range p.runs {
		plan := p.runs[i][0]
		if len(plan.Request().Set) > 0 || plan.Load().Factor != 1 || p.req.All.Cores != 0 || p.req.All.Threads != 0 {
			return false
		}
		name := plan.Identity().Strategy
		if !slices.ContainsFunc(e.Cases, func(c spec.Case) bool {
			info, err := dispatch.LookupStrategy(cmp.Or(c.Strategy, e.Strategy))
			return err == nil && info.Name == name && len(c.Set) == 0 && slices.Contains(e.UsedToFit, c.Name+".iops")
		}) {
			return false
		}
	}
	return true
}
