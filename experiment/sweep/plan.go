package sweep

import (
	"slices"
	"time"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/results"
)

// maxPoints keeps a mistyped range from asking for years.
const maxPoints = 100000

// Plan is a sweep that can be run: every point of it was found legal.
type Plan struct {
	Definition results.SweepDef
	spec       *spec.Spec
	points     []point
}

// point is one run to do.
type point struct {
	results.SweepPoint
	req experiment.Request
}

// cost is what the run takes, in any unit: simulated core-seconds.
func (p *point) cost() float64 { return float64(p.Cores) * (p.Duration + p.Warmup) }

// plan is the point as it is run. It is made anew when it is wanted: those of a
// large sweep would fill the memory.
func (p *Plan) plan(pt *point) (*experiment.Plan, error) { return experiment.NewPlan(p.spec, pt.req) }

// NewPlan checks a request and every point that it asks for, before anything
// is run. Its error is a [spec.UsageError].
func NewPlan(r Request) (*Plan, error) {
	s, d, err := r.define()
	if err != nil {
		return nil, err
	}
	if n := size(&d); n > maxPoints {
		return nil, spec.Usagef("a sweep of %d points or more; legal: up to %d", n, maxPoints)
	}
	p := &Plan{Definition: d, spec: s}
	for _, id := range enumerate(&d) {
		pt := point{SweepPoint: id}
		measure, warmup := Budget(s, id.Cores)
		if r.Duration > 0 {
			measure = r.Duration
		}
		if r.Warmup > 0 {
			warmup = r.Warmup
		}
		pt.Duration, pt.Warmup = measure.Seconds(), warmup.Seconds()
		pt.req = experiment.Request{
			Strategy: id.Strategy, Workload: r.Workload, Driver: d.Driver, Machine: d.Machine,
			Cores: id.Cores, Duration: measure, Warmup: warmup, Seed: experiment.SeedOf(id.Seed), Weak: d.Weak,
			Set: slices.Concat(d.Set, id.Set),
		}
		for i := range pt.req.Set {
			pt.req.Set[i].At = param.SetFlag
		}
		plan, err := p.plan(&pt)
		if err != nil {
			return nil, err
		}
		pt.HBAs = plan.Load().HBAs
		p.points = append(p.points, pt)
	}
	return p, nil
}

// Len is how many points there are in all.
func (p *Plan) Len() int { return len(p.points) }

// A point of a sweep costs this computer about the same whatever its cores:
// what is simulated in a second grows with them. A point of 256 cores still
// sees some thousand commands.
const (
	coreSeconds     = 8.0
	warmCoreSeconds = 2.0

	minDuration = 50 * time.Millisecond
	minWarmup   = 20 * time.Millisecond // several round trips of a device of some ms

	// ownDuration stands for that of an experiment that leaves it to its
	// workload's file, which mostly says a minute.
	ownDuration = 2 * time.Second
)

// Budget is how long a point with so many cores measures and warms up, in
// virtual time, where nothing else is asked for: 8 core-seconds after 2, at
// least 50 ms after 20 ms, and never more than the experiment's own.
func Budget(s *spec.Spec, cores int) (measure, warmup time.Duration) {
	own := s.Duration
	if own == 0 {
		own = ownDuration
	}
	per := func(total float64, least, most time.Duration) time.Duration {
		// Whole microseconds: a duration is printed.
		d := time.Duration(total / float64(cores) * float64(time.Second)).Truncate(time.Microsecond)
		return min(max(d, least), most)
	}
	return per(coreSeconds, minDuration, own), per(warmCoreSeconds, minWarmup, s.Warmup)
}
