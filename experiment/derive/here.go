package derive

import (
	"context"
	"runtime"
	"time"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/calibrate"
	"hostlock/machine/param"
)

// Time is about how long a derivation takes: measuring costs and simulating.
const Time = 3 * time.Second

// QuickCosts measures this computer's costs for a derivation, in about half a
// second: a derived load does not hang on them, since an I/O takes long beside
// them, and 'lab calibrate' measures better. What other processes disturb keeps
// its default, or a line that seems to travel for microseconds would be taken
// for one. It is nil where all that fails or ctx ends.
func QuickCosts(ctx context.Context) []param.Setting {
	r, err := calibrate.Measure(ctx, calibrate.Config{Repetitions: 5, Each: 2 * time.Millisecond, MaxPairs: 6})
	if err != nil {
		return nil
	}
	return spec.SteadyCosts(r)
}

// Here is [Derive] for this computer, with its costs. Whether there is
// anything to derive is asked before they are measured.
func Here(ctx context.Context, s *spec.Spec) (*Derivation, error) {
	cores := runtime.GOMAXPROCS(0)
	if err := derivableOn(s, cores); err != nil {
		return nil, err
	}
	return Derive(ctx, s, cores, QuickCosts(ctx))
}

// Wanted reports whether a plan's load is to be derived for this computer before
// it is run: it is for this computer, there is a published share to aim at, and
// live.derive does not say otherwise.
func Wanted(p *experiment.Plan) bool {
	v, _ := p.Param("live.derive")
	return p.Live() && p.Request().Derived == nil && v.Num != 0 && Derivable(p.Spec())
}

// For is the plan with the load derived that it wants.
func For(ctx context.Context, p *experiment.Plan) (*experiment.Plan, error) {
	d, err := Here(ctx, p.Spec())
	if err != nil {
		return nil, err
	}
	r := p.Request()
	r.Derived = d.Derived()
	return experiment.NewPlan(p.Spec(), r)
}
