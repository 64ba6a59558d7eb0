package compare

import (
	"cmp"
	"slices"
	"time"

	"hostlock/experiment"
)

// A range over parameter sets is its two ends. So every set has a glance, and
// those that come out furthest to either side a longer look, or chance would
// widen the range: it moves the rate of a glance of the headline by half a
// percent, and that of a look by a quarter.
const (
	glance = 8 // the part of a window that a set is first run for
	look   = 2 // and the part of those at the ends
	ends   = 5 // how many at either end
)

// outermost are the runs of those sets that came out furthest to either side.
func (p *Plan) outermost(rep *Report) ([]run, error) {
	var runs []run
	rate := figures[0].of
	again := map[[2]int]bool{}
	for side := 1; side < len(p.fits); side++ {
		change := func(set int) float64 {
			return rate(rep.fits[side][set]) / rate(rep.fits[0][set])
		}
		order := make([]int, len(p.fits[side]))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(change(a), change(b)) })
		for i, set := range order {
			if i >= ends && i < len(order)-ends {
				continue
			}
			for _, s := range []int{0, side} {
				again[[2]int{s, set}] = true
			}
		}
	}
	for side := range p.fits {
		for set, plan := range p.fits[side] {
			if !again[[2]int{side, set}] {
				continue
			}
			longer, err := lasting(plan, p.window(p.req.Experiment, false)/look)
			if err != nil {
				return nil, err
			}
			runs = append(runs, run{longer, &rep.fits[side][set]})
		}
	}
	return runs, nil
}

// lasting is a plan with another window.
func lasting(plan *experiment.Plan, window time.Duration) (*experiment.Plan, error) {
	q := plan.Request()
	q.Duration = window
	return experiment.NewPlan(plan.Spec(), q)
}
