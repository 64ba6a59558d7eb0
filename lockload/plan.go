package lockload

import (
	"context"

	"golang.org/x/sync/errgroup"

	"hostlock/designs"
	"hostlock/locks"
)

// Plan is a set of runs: every design under every kind on every number of cores.
// A design whose locks have no kind to choose runs once.
type Plan struct {
	Base    Config
	Cores   []int
	Designs []designs.Info
	Kinds   []locks.Info
	// Workers is how many runs go side by side in virtual time; live runs go alone.
	Workers int
}

// Configs lists the runs, in the order of their points.
func (p *Plan) Configs() []Config {
	var out []Config
	for _, d := range p.Designs {
		kinds := p.Kinds
		if !d.Kinds {
			kinds = kinds[:1]
		}
		for _, k := range kinds {
			for _, n := range p.Cores {
				c := p.Base
				c.Design, c.Kind, c.Cores = d, k, n
				out = append(out, c)
			}
		}
	}
	return out
}

// Run runs all, and calls progress after each. Where ctx ends before, the points
// that are done come back with its error.
func (p *Plan) Run(ctx context.Context, progress func(done int)) ([]Point, error) {
	configs := p.Configs()
	points := make([]*Point, len(configs))
	var g errgroup.Group
	workers := max(p.Workers, 1)
	if p.Base.Live {
		workers = 1
	}
	g.SetLimit(workers)
	finished := make(chan struct{}, len(configs))
	go func() {
		n := 0
		for range finished {
			n++
			progress(n)
		}
	}()
	for i, c := range configs {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			at, err := Run(ctx, c)
			if err == nil {
				points[i] = at
			}
			finished <- struct{}{}
			return err
		})
	}
	err := g.Wait()
	close(finished)
	var out []Point
	for _, at := range points {
		if at != nil {
			out = append(out, *at)
		}
	}
	return out, err
}
