package compare

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"hostlock/experiment"
	"hostlock/machine/param"
	"hostlock/results"
)

// What is tried in search of the next bound: so much more of a resource, and
// what it must at least give, in percent of the rate.
const (
	more  = 1.25
	gives = 3.0
)

// trial is one run of a side with more of one resource.
type trial struct {
	of     string
	change func(*experiment.Request)
}

// trials are what can be tried of a side, by what its run found.
func trials(plan *experiment.Plan, r *results.Result) []trial {
	set := func(name, value string) func(*experiment.Request) {
		return func(q *experiment.Request) {
			q.Set = append(q.Set[:len(q.Set):len(q.Set)], param.Setting{Name: name, Value: value, At: param.SetFlag})
		}
	}
	// Of fewer than four a quarter is no whole number near it.
	const few = 4
	up := func(n int) int { return int(math.Round(more * float64(n))) }
	var out []trial
	if r.Experiment.Threads >= few {
		out = append(out, trial{"load (threads)", func(q *experiment.Request) { q.Threads = up(r.Experiment.Threads) }})
	}
	if r.Experiment.Cores >= few && !plan.Request().Weak { // whose load would grow, too
		out = append(out, trial{"cpu", func(q *experiment.Request) { q.Cores = up(r.Experiment.Cores) }})
	}
	for _, p := range r.Parameters {
		n, whole := p.Value.(int64)
		if whole && n >= few && (p.Name == "host.can_queue" || p.Name == "host.cmd_per_lun") {
			out = append(out, trial{p.Name, set(p.Name, strconv.Itoa(up(int(n))))})
		}
	}
	if v, ok := plan.Param(r.Experiment.Driver + ".device_latency"); ok && v.Num > 0 {
		out = append(out, trial{"device", set(v.Name, strconv.FormatFloat(v.Num/more, 'f', 3, 64)+"ns")})
	}
	class, share := largest([]*results.Result{r}, func(r *results.Result) results.Shares { return r.CPU.ContentionByClass })
	if v, ok := plan.Param("midlayer.section"); ok && v.Num > 0 && share >= leastShare {
		// A lock that could be taken so much more often: by shorter sections.
		out = append(out, trial{class, set(v.Name, strconv.FormatFloat(v.Num/more, 'f', 3, 64)+"ns")})
	}
	return out
}

// bound finds by trial what bounds a side: a quarter more of which resource
// gives most. It is "" where nothing could be tried.
func (p *Plan) bound(ctx context.Context, plan *experiment.Plan, r *results.Result, o Options) (string, error) {
	list := trials(plan, r)
	gains := make([]float64, len(list))
	err := experiment.Each(ctx, len(list), nil, func(ctx context.Context, i int) error {
		q := plan.Request()
		list[i].change(&q)
		gains[i] = math.Inf(-1)
		tried, err := experiment.NewPlan(plan.Spec(), q)
		if err != nil {
			return nil // not legal: a machine or driver has no more of it
		}
		found, err := Whole(ctx, o.Run, tried, experiment.Options{})
		if err != nil {
			return err
		}
		gains[i] = pct(found.IOPS / r.IOPS)
		return nil
	})
	if err != nil {
		return "", err
	}
	if len(gains) == 0 {
		return "", nil
	}
	best := 0
	for i := range gains {
		if gains[i] > gains[best] {
			best = i
		}
	}
	if gains[best] < gives {
		return fmt.Sprintf("no single one (25 %% more of anything gives less than %.0f %%)", gives), nil
	}
	return fmt.Sprintf("%s (25 %% more gives %.0f %%)", list[best].of, gains[best]), nil
}
