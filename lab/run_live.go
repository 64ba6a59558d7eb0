package lab

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"hostlock/experiment"
	"hostlock/results"
)

// measure runs an experiment where it belongs. For one that is run on this
// computer and stands beside a published table, the published machine is
// simulated, too: the second of the report's three columns.
func (a *app) measure(ctx context.Context, spec *experiment.Spec, opts experiment.Options) (*results.Result, error) {
	live := experiment.MachineOf(spec, opts) == "live"
	if live {
		a.announce(experiment.LiveEstimate(spec, opts))
	}
	step, done := a.progress(spec.Name)
	opts.Progress = step
	r, err := a.run(ctx, spec, opts)
	done()
	if !live || err != nil || r == nil || r.Live == nil || r.Published == nil {
		return r, err
	}
	sim, simErr := a.run(ctx, spec, experiment.Options{Machine: "sim", Strategy: r.Experiment.Strategy, Seed: opts.Seed, SeedSet: opts.SeedSet})
	if simErr == nil {
		r.Live.Simulated = sim
	}
	return r, nil
}

// announce says what a live run does to this computer.
func (a *app) announce(d time.Duration) {
	if d == 0 {
		return // the request is wrong, and the run will say so
	}
	cores := "its one core"
	if n := runtime.GOMAXPROCS(0); n > 1 {
		cores = fmt.Sprintf("all %d cores", n)
	}
	a.note("this computer: %s will be busy for about %v; Ctrl-C keeps what was measured until then", cores, max(d.Round(time.Second), time.Second))
}
