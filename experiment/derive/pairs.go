package derive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/aclements/go-moremath/stats"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/results"
)

// Interleaved pairs by default: long enough for a sampling error of 0.8 points
// on 23.7 % a run at 100 Hz on 2 cores, and 0.5 on all three together.
const (
	defaultPairs = 3
	defaultEach  = 15 * time.Second
)

// PairOptions are what [LivePairs] is asked for. The zero value is three pairs
// of 15 s a run, without profiles.
type PairOptions struct {
	Pairs int
	Each  time.Duration // real time of one run's window
	Seed  experiment.Seed
	// ProfilesDir is where the profiles of the first pair go; "" writes none.
	ProfilesDir string
	Set         []param.Setting
	// Derivation is the load; nil derives it from this computer's costs.
	Derivation *Derivation
	// Progress, where not nil, is called with what runs, and the share of all
	// runs that is over.
	Progress func(what string, done float64)
}

func (o *PairOptions) complete() {
	if o.Pairs <= 0 {
		o.Pairs = defaultPairs
	}
	if o.Each <= 0 {
		o.Each = defaultEach
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
}

// Estimate is about how long [LivePairs] will keep this computer busy.
func (o PairOptions) Estimate() time.Duration {
	o.complete()
	d := time.Duration(2*o.Pairs) * (o.Each + experiment.LiveWarmup + experiment.DrainTime/2)
	if o.Derivation == nil {
		d += Time
	}
	if o.ProfilesDir != "" {
		d += 2 * (experiment.WallTime + experiment.LiveWarmup + experiment.DrainTime)
	}
	return d
}

// LivePair is one run before the change and one after, back to back; the
// second is nil where the first was interrupted.
type LivePair struct{ Before, After *results.Result }

// Pairs are interleaved runs of two strategies on this computer: A B A B A B,
// so that a disturbance of some seconds or a drift of the clock rate meets
// both.
type Pairs struct {
	Cores         int
	Before, After string // strategies
	Derivation    *Derivation
	Calibration   float64 // one for all runs: two differ by up to 5 %, and with them the work
	Runs          []LivePair
	Partial       bool
}

// LivePairs runs the two strategies of the experiment's published table on
// this computer. Where ctx is cancelled it returns what was measured until
// then, marked partial, and an error that wraps the context's.
func LivePairs(ctx context.Context, e *spec.Spec, opts PairOptions) (*Pairs, error) {
	opts.complete()
	table, before, after := experiment.LiveTable(e)
	if table == nil {
		return nil, spec.Usagef("experiment %s has no published host-lock share before and after to compare pairs with", e.Name)
	}
	p := &Pairs{
		Cores: runtime.GOMAXPROCS(0), Derivation: opts.Derivation, Calibration: machine.Calibrate(),
		Before: cmp.Or(before.Strategy, e.Strategy), After: cmp.Or(after.Strategy, e.Strategy),
	}
	if p.Derivation == nil {
		opts.Progress("deriving the load", 0)
		var err error
		if p.Derivation, err = Here(ctx, e); err != nil {
			return nil, err
		}
	}
	for i := range 2 * opts.Pairs {
		strategy := p.Before
		if i%2 == 1 {
			strategy = p.After
		}
		plan, err := experiment.NewPlan(e, experiment.Request{
			Machine: "live", Strategy: strategy, Duration: opts.Each, Set: opts.Set,
			Seed: opts.Seed, Derived: p.Derivation.Derived(),
		})
		if err != nil {
			return p, err
		}
		o := experiment.Options{
			Calibration: p.Calibration,
			Progress:    func(done float64) { opts.Progress(strategy, (float64(i)+done)/float64(2*opts.Pairs)) },
		}
		if i < 2 {
			o.ProfilesDir = opts.ProfilesDir
		}
		r, err := experiment.Run(ctx, plan, o)
		if r != nil && r.Live != nil {
			p.add(i, r)
		}
		if ctx.Err() != nil {
			p.Partial = true
			return p, fmt.Errorf("interrupted: %w", context.Cause(ctx))
		}
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p *Pairs) add(i int, r *results.Result) {
	if i%2 == 0 {
		p.Runs = append(p.Runs, LivePair{Before: r})
	} else {
		p.Runs[len(p.Runs)-1].After = r
	}
}

// whole are the pairs whose two runs were not cut short.
func (p *Pairs) whole() []LivePair {
	return slices.DeleteFunc(slices.Clone(p.Runs), func(r LivePair) bool {
		return r.After == nil || r.Before.Partial || r.After.Partial
	})
}

// errNoPair says that there is no median.
var errNoPair = errors.New("no pair was run to its end")

// Medians are the medians over whole pairs: the two shares in percent, and the
// gain of I/O per second, taken within each pair.
func (p *Pairs) Medians() (Targets, error) {
	var before, after, gain []float64
	for _, r := range p.whole() {
		before = append(before, r.Before.CPU.HostLock)
		after = append(after, r.After.CPU.HostLock)
		gain = append(gain, 100*(r.After.IOPS/r.Before.IOPS-1))
	}
	if len(before) == 0 {
		return Targets{}, errNoPair
	}
	return Targets{Before: median(before), After: median(after), Gain: median(gain)}, nil
}

func median(v []float64) float64 { return stats.Sample{Xs: v}.Quantile(0.5) }

// Neighbours is the most processor time that others took in any run, in
// processors; -1 where the system does not say.
func (p *Pairs) Neighbours() float64 {
	most := -1.0
	for _, r := range p.all() {
		most = max(most, r.Live.Neighbours)
	}
	return most
}

// all lists the runs in the order in which they were made.
func (p *Pairs) all() []*results.Result {
	var out []*results.Result
	for _, r := range p.Runs {
		out = append(out, r.Before)
		if r.After != nil {
			out = append(out, r.After)
		}
	}
	return out
}

// Warnings are those of all runs, each once.
func (p *Pairs) Warnings() []string {
	var out []string
	for _, r := range p.all() {
		for _, w := range r.Warnings {
			if !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}
