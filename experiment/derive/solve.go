package derive

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/theory"
	"hostlock/results"
)

// solver moves hold over think and the latency until the simulator shows the
// targets.
type solver struct {
	d             *Derivation
	spec          *spec.Spec
	threads       float64
	before, after float64 // hold over think, of the closed form
	ratio         float64 // of the sections to the whole hold, where after is not aimed at
	latency       float64 // seconds
}

func (s *solver) solve(ctx context.Context) error {
	const enough = 6
	d := s.d
	for d.Rounds = 1; ; d.Rounds++ {
		s.set()
		got, rates, err := s.simulate(ctx)
		if err != nil {
			return err
		}
		d.Simulated = got
		done := math.Abs(got.Before-d.Targets.Before) < 0.2
		if s.ratio == 0 {
			done = done && math.Abs(got.After-d.Targets.After) < 0.15 && math.Abs(got.Gain-d.Targets.Gain) < 0.4
		}
		if done || d.Rounds == enough {
			return nil
		}
		// The closed form says how far r is off; the rest is a factor that
		// hardly changes with it.
		s.before *= s.r(d.Targets.Before) / s.r(got.Before)
		if s.ratio != 0 {
			continue
		}
		s.after *= s.r(d.Targets.After) / s.r(got.After)
		// A thread's round is its latency and what it waits and works; the
		// faster strategy leaves cores idle, so that its rounds follow the
		// latency nearly one to one.
		want := rates[0] * (1 + d.Targets.Gain/100)
		s.latency = max(s.latency+0.8*(s.threads/want-s.threads/rates[1]), 1e-6)
	}
}

func (s *solver) r(share float64) float64 {
	return theory.HoldOverThink(s.d.Cores, min(max(share, 0.01), 90)/100)
}

// set turns hold over think into durations.
func (s *solver) set() {
	d := s.d
	part := func(r float64) float64 { return r / (1 + r) * float64(d.Work) }
	hold := part(s.before)
	sections := part(s.after)
	if s.ratio != 0 {
		sections = s.ratio * hold
	}
	sections = min(sections, 0.98*hold)
	round := func(ns float64) time.Duration { return time.Duration(ns).Round(10 * time.Nanosecond) }
	d.Section, d.QueueCommand = round(sections/4), round(hold-sections)
	d.Outside = d.Work - 4*d.Section - d.QueueCommand
	d.Latency = time.Duration(s.latency * 1e9).Round(time.Microsecond)
}

// simulate runs both strategies, side by side.
func (s *solver) simulate(ctx context.Context) (Targets, [2]float64, error) {
	var got [2]*results.Result
	var errs [2]error
	var wg sync.WaitGroup
	for i, strategy := range []string{s.d.before, s.d.after} {
		wg.Go(func() {
			p, err := experiment.NewPlan(s.spec, experiment.Request{
				Machine: "sim", Cores: s.d.Cores, Strategy: strategy, Kind: "tas",
				Duration: deriveFor / time.Duration(s.d.Cores), Derived: s.d.Derived(), Costs: s.d.Costs,
			})
			if errs[i] = err; err == nil {
				got[i], errs[i] = experiment.Run(ctx, p, experiment.Options{})
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil { // whatever a run that was cut short says
		return Targets{}, [2]float64{}, fmt.Errorf("deriving the load: %w", context.Cause(ctx))
	}
	for i, err := range errs {
		if err != nil {
			return Targets{}, [2]float64{}, fmt.Errorf("deriving the load: %w", err)
		}
		if got[i].IOPS == 0 {
			return Targets{}, [2]float64{}, fmt.Errorf("deriving the load: nothing was completed in simulation")
		}
	}
	return Targets{
		Before: got[0].CPU.HostLock, After: got[1].CPU.HostLock, Gain: 100 * (got[1].IOPS/got[0].IOPS - 1),
	}, [2]float64{got[0].IOPS, got[1].IOPS}, nil
}
