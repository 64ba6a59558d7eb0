package predict

import (
	"context"
	"math"
	"time"

	"hostlock/designs"
	"hostlock/machine"
)

// What a figure may be off by, for the model to be used beyond bounds.
const (
	offBy       = 0.20 // of the recorded value
	offByPoints = 10.0 // of a share in percent
	// tooFew is below which a contended share or a wait has nothing to be held
	// against: such a lock is idle, and the model says so as well.
	tooFew = 1.0 // % of acquisitions
)

// selfCheck predicts what the record has beside holds and rate.
func (m *Model) selfCheck(ctx context.Context) ([]Check, error) {
	d, parts, err := m.asRecorded()
	if err != nil {
		return nil, err
	}
	if !m.open() {
		if err := m.fitShape(ctx, d, parts); err != nil {
			return nil, err
		}
	}
	v := base
	p, err := m.run(ctx, d, m.kind, m.procs, parts, v)
	if err != nil {
		return nil, err
	}
	out := []Check{
		check("contended acquisitions", "%", 100*m.contended, max(p.Met, 0), true),
	}
	// How near the fit came, which it cannot where the lock itself is the limit.
	out = append(out, check("acquisitions a second (fitted)", "1/s", m.rate, p.OpsPerS, false))
	if m.hottest > 0 && p.Utilization >= 0 {
		out = append(out, check("utilisation of the busiest lock", "%", m.hottest, p.Utilization, true))
	}
	if 100*m.contended >= tooFew {
		out = append(out, check("mean wait", "ns", m.wait, p.Wait.Mean, false))
	}
	for _, s := range m.stretch {
		v := base
		v.stretch = s.Factor
		long, err := m.run(ctx, d, m.kind, m.procs, parts, v)
		if err != nil {
			return nil, err
		}
		out = append(out, check("rate with the hold stretched", "ratio", s.RateRatio, long.OpsPerS/p.OpsPerS, false))
	}
	return out, nil
}

func check(figure, unit string, recorded, predicted float64, share bool) Check {
	c := Check{Figure: figure, Unit: unit, Recorded: recorded, Predicted: predicted}
	c.OK = math.Abs(predicted-recorded) <= offBy*math.Abs(recorded) || share && math.Abs(predicted-recorded) <= offByPoints
	return c
}

func holds(checks []Check) bool {
	for _, c := range checks {
		if !c.OK {
			return false
		}
	}
	return len(checks) > 0
}

const (
	// scanSteps go down from all processor time to none, each by a twentieth.
	scanSteps = 20
	// fitSteps halve one of those steps so often: to less than a thousandth.
	fitSteps = 6
)

// fitShape fits the pauses under both shapes that they may have, and takes the one
// under which the processors are as busy as was recorded.
func (m *Model) fitShape(ctx context.Context, d designs.Info, parts int) error {
	all := m.think
	best, off := *m, math.Inf(1)
	for _, shape := range []machine.Shape{machine.Exponential, machine.Lognormal} {
		m.shape, m.think = shape, all
		if err := m.fit(ctx, d, parts); err != nil {
			return err
		}
		p, err := m.run(ctx, d, m.kind, m.procs, parts, base)
		if err != nil {
			return err
		}
		by := math.Abs(p.CPU/100-m.busy) + math.Abs(p.OpsPerS/m.rate-1)
		if by < off {
			best, off = *m, by
		}
	}
	*m = best
	return nil
}

// fit finds the pause under which the model makes as many acquisitions a second as
// were recorded: the longest one, since a shorter may do so in another way, with one
// goroutine that passes all others. It is at most all processor time between two
// acquisitions, of which spinning and the scheduler take a part.
func (m *Model) fit(ctx context.Context, d designs.Info, parts int) error {
	most := m.think
	enough := func(think time.Duration) (bool, error) {
		m.think = think
		p, err := m.run(ctx, d, m.kind, m.procs, parts, base)
		if err != nil {
			return false, err
		}
		return p.OpsPerS >= m.rate, nil
	}
	high := most
	low := most
	for i := range scanSteps + 1 {
		low = most * time.Duration(scanSteps-i) / scanSteps
		ok, err := enough(low)
		if err != nil {
			return err
		}
		if ok {
			break
		}
		high = low
	}
	for range fitSteps {
		if high-low < 2 {
			break
		}
		mid := (low + high) / 2
		ok, err := enough(mid)
		if err != nil {
			return err
		}
		if ok {
			low = mid
		} else {
			high = mid
		}
	}
	m.think = low
	return nil
}
