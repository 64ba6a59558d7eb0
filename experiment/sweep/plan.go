package sweep

import (
	"time"

	"hostlock/experiment"
	"hostlock/machine/param"
	"hostlock/results"
)

// maxPoints keeps a mistyped range from asking for years.
const maxPoints = 100000

// Plan is a sweep that can be run: every point of it was found legal.
type Plan struct {
	Definition results.SweepDef
	points     []point
}

// point is one run to do.
type point struct {
	results.SweepPoint
	spec   *experiment.Spec // the experiment, with the point's own warm-up
	opts   experiment.Options
	params []param.Value // what the run will read
}

// cost is what the run takes, in any unit: simulated core-seconds.
func (p *point) cost() float64 {
	return float64(p.Cores) * (p.opts.Duration + p.spec.Warmup).Seconds()
}

// NewPlan checks a request and every point that it asks for, before anything
// is run. Its error is an [experiment.UsageError].
func NewPlan(r Request) (*Plan, error) {
	spec, d, err := r.define()
	if err != nil {
		return nil, err
	}
	if n := size(&d); n > maxPoints {
		return nil, experiment.Usagef("a sweep of %d points or more; legal: up to %d", n, maxPoints)
	}
	p := &Plan{Definition: d}
	for _, id := range enumerate(&d) {
		pt := point{SweepPoint: id}
		if err := pt.fill(spec, r, &d); err != nil {
			return nil, err
		}
		p.points = append(p.points, pt)
	}
	return p, nil
}

// fill works out how one point is run.
func (p *point) fill(spec *experiment.Spec, r Request, d *results.SweepDef) error {
	measure, warmup := Budget(spec, p.Cores)
	if r.Duration > 0 {
		measure = r.Duration
	}
	if r.Warmup > 0 {
		warmup = r.Warmup
	}
	own := *spec
	own.Warmup = warmup
	p.spec = &own
	p.Duration, p.Warmup = measure.Seconds(), warmup.Seconds()
	p.opts = experiment.Options{
		Strategy: p.Strategy, Workload: r.Workload, Driver: d.Driver, Machine: d.Machine,
		Cores: p.Cores, Duration: measure, Seed: p.Seed, SeedSet: true, Weak: d.Weak,
	}
	for _, kv := range append(append([]results.Setting{}, d.Set...), p.Set...) {
		p.opts.Set = append(p.opts.Set, kv.Name+"="+kv.Value)
	}
	if err := p.opts.Validate(); err != nil {
		return err
	}
	var err error
	if p.params, err = experiment.Parameters(p.spec, p.opts); err != nil {
		return err
	}
	load, err := p.spec.LoadOf(p.opts, p.Cores)
	p.HBAs = load.HBAs
	return err
}

// Len is how many points there are in all.
func (p *Plan) Len() int { return len(p.points) }

// Longest is the longest time that a point measures and warms up.
func (p *Plan) Longest() (measure, warmup time.Duration) {
	for _, pt := range p.points {
		measure, warmup = max(measure, pt.opts.Duration), max(warmup, pt.spec.Warmup)
	}
	return measure, warmup
}
