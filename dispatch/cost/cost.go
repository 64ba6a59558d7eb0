// Package cost has random times that work takes.
package cost

import (
	"math"
	"math/rand/v2"
	"time"

	"hostlock/machine"
)

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

// New prepares draws from d.
func New(d machine.Dist) Cost {
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
