package evidence

import (
	"context"
	"slices"
	"time"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/results"
)

// Setup is the experiment under examination and how long each of its runs is.
type Setup struct {
	Spec     *spec.Spec
	Table    *results.Published
	Duration time.Duration // measured, virtual; 0 is the experiment's own
	Seed     uint64
	// Progress, where not nil, is called from several goroutines with the share
	// of the runs that are done.
	Progress func(done float64)
}

// New looks up the published table of an experiment. Its error is a usage
// error where there is none.
func New(e *spec.Spec) (*Setup, error) {
	table, err := results.LookupPublished(e.Source)
	if err != nil {
		return nil, spec.Usagef("experiment %s has no published table to hold it against: %w", e.Name, err)
	}
	return &Setup{Spec: e, Table: table, Seed: e.Seed}, nil
}

// parameters are those of the experiment as it is.
func (s *Setup) parameters() ([]param.Value, error) {
	p, err := experiment.NewPlan(s.Spec, experiment.Request{Machine: "sim"})
	if err != nil {
		return nil, err
	}
	return p.Parameters(), nil
}

// figures is what the runs of all cases give, by row of the published table.
type figures map[string]float64

// measure runs every case once, with parameters set over the experiment's.
func (s *Setup) measure(ctx context.Context, e *spec.Spec, seed uint64, set []param.Setting) (figures, error) {
	runs := map[string]*results.Result{}
	for _, c := range e.Cases {
		p, err := experiment.NewPlan(e, experiment.Request{
			Strategy: c.Strategy, Driver: c.Driver, Workload: c.Workload, Machine: "sim", Duration: s.Duration,
			Seed: experiment.SeedOf(seed), Set: slices.Concat(c.Set, set),
		})
		if err != nil {
			return nil, err
		}
		if runs[c.Name], err = experiment.Run(ctx, p, experiment.Options{}); err != nil {
			return nil, err
		}
	}
	rep, err := s.Table.Reproduce(runs, e.UsedToFit)
	if err != nil {
		return nil, err
	}
	f := figures{}
	for _, row := range rep.Rows {
		f[row.Name] = row.Measured
	}
	return f, nil
}

// each calls do(i) for 0 <= i < n, see [experiment.Each].
func (s *Setup) each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	return experiment.Each(ctx, n, s.Progress, do)
}
