package dispatch

import (
	"math"
	"math/rand/v2"
	"time"

	"hostlock/machine"
	"hostlock/machine/param"
)

var shapes = []string{"lognormal", "exponential", "uniform", "fixed"}

// ParseShape takes a name that the parameter "midlayer.shape" may have.
func ParseShape(name string) machine.Shape {
	switch name {
	case "lognormal":
		return machine.Lognormal
	case "exponential":
		return machine.Exponential
	case "uniform":
		return machine.Uniform
	}
	return machine.Fixed
}

// Cost is a random time, as [machine.Dist] is, with what a draw needs worked
// out beforehand.
type Cost struct {
	dist      machine.Dist
	mu, sigma float64
}

// NewCost prepares draws from d.
func NewCost(d machine.Dist) Cost {
	c := Cost{dist: d}
	if d.Shape == machine.Lognormal {
		if d.CV == 0 || d.Mean <= 0 {
			c.dist.Shape = machine.Fixed
			return c
		}
		s2 := math.Log1p(d.CV * d.CV)
		c.sigma = math.Sqrt(s2)
		c.mu = math.Log(float64(d.Mean)) - s2/2
	}
	return c
}

// Mean is the mean of the times drawn.
func (c *Cost) Mean() time.Duration { return c.dist.Mean }

// Draw takes one time.
func (c *Cost) Draw(r *rand.Rand) time.Duration {
	if c.sigma != 0 {
		return time.Duration(math.Exp(c.mu + c.sigma*r.NormFloat64()))
	}
	return c.dist.Draw(r)
}

// Spend draws one time from t's own random stream and works for that long.
func (c *Cost) Spend(t *machine.Thread) {
	if c.dist.Mean > 0 {
		t.Work(c.Draw(t.Rand()))
	}
}

// costs is what the mid-layer charges, alike under every strategy.
type costs struct {
	requestFn, dispatchCmd, deviceUnbusy, runQueue Cost
	makeRequest, softirqDone, ioCompletion         Cost
}

func newCosts(p *param.Set) costs {
	shape, cv := ParseShape(p.Choice("midlayer.shape")), p.Float("midlayer.cv")
	c := func(name string) Cost {
		return NewCost(machine.Dist{Mean: p.Duration(name), Shape: shape, CV: cv})
	}
	section := func(weight string) Cost {
		mean := float64(p.Duration("midlayer.section")) * p.Float(weight)
		return NewCost(machine.Dist{Mean: time.Duration(mean + 0.5), Shape: shape, CV: cv})
	}
	return costs{
		requestFn:    section("midlayer.request_fn"),
		dispatchCmd:  section("midlayer.dispatch_cmd"),
		deviceUnbusy: section("midlayer.device_unbusy"),
		runQueue:     section("midlayer.run_queue"),
		makeRequest:  c("midlayer.make_request"),
		softirqDone:  c("midlayer.softirq_done"),
		ioCompletion: c("midlayer.io_completion"),
	}
}
