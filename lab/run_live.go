package lab

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"hostlock/experiment"
	"hostlock/experiment/derive"
	"hostlock/results"
)

// measure runs an experiment where it belongs. For one that is run on this
// computer and stands beside a published table, the published machine is
// simulated, too: the second of the report's three columns.
func (a *app) measure(ctx context.Context, plan *experiment.Plan, opts experiment.Options) (*results.Result, error) {
	if plan.Live() {
		estimate := plan.Estimate(opts)
		if derive.Wanted(plan) {
			estimate += derive.Time
		}
		a.announce(estimate)
	}
	if derive.Wanted(plan) {
		var err error
		if plan, err = a.derive(ctx, plan); err != nil {
			return nil, err
		}
	}
	step, done := a.progress(plan.Identity().Name)
	opts.Progress = step
	r, err := a.run(ctx, plan, opts)
	done()
	if err != nil || r == nil || r.Live == nil || r.Published == nil {
		return r, err
	}
	sim, err := experiment.NewPlan(plan.Spec(), experiment.Request{Machine: "sim", Strategy: r.Experiment.Strategy, Seed: plan.Request().Seed})
	if err != nil {
		return r, nil // the case has no simulated twin
	}
	if twin, err := a.run(ctx, sim, experiment.Options{}); err == nil {
		r.Live.Simulated = twin
	}
	return r, nil
}

// announce says what a live run does to this computer.
func (a *app) announce(d time.Duration) {
	cores := "its one core"
	if n := runtime.GOMAXPROCS(0); n > 1 {
		cores = fmt.Sprintf("all %d cores", n)
	}
	a.note("this computer: %s will be busy for about %v; Ctrl-C keeps what was measured until then", cores, max(d.Round(time.Second), time.Second))
}
