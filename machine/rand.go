package machine

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"
)

// Rand is the sub-stream of a seed that a name selects. The same seed and name
// give the same numbers whatever else draws, so that two strategies can be
// compared under the same luck.
func Rand(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, name)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// Shape is a family of distributions of a positive time.
type Shape uint8

const (
	Fixed       Shape = iota // always the mean
	Exponential              // cv 1
	Lognormal                // any cv
	Uniform                  // mean +- half of it
)

// Dist is a random time: a mean, and how it scatters.
type Dist struct {
	Mean  time.Duration
	Shape Shape
	CV    float64 // standard deviation over mean, for Lognormal
}

// Draw takes one time from the distribution.
func (d Dist) Draw(r *rand.Rand) time.Duration {
	if d.Mean <= 0 {
		return 0
	}
	m := float64(d.Mean)
	switch d.Shape {
	case Exponential:
		return time.Duration(m * r.ExpFloat64())
	case Lognormal:
		// For a lognormal of mean m and coefficient of variation c the
		// underlying normal has variance ln(1+c*c) and mean ln m minus half of it.
		s2 := math.Log1p(d.CV * d.CV)
		return time.Duration(m * math.Exp(math.Sqrt(s2)*r.NormFloat64()-s2/2))
	case Uniform:
		return time.Duration(m * (0.5 + r.Float64()))
	default:
		return d.Mean
	}
}
