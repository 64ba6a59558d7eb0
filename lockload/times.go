package lockload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
	"time"

	"hostlock/machine"
	"hostlock/machine/param"
)

// Dist is a machine's distribution as Times.
type Dist struct{ machine.Dist }

// Avg is the mean.
func (d Dist) Avg() time.Duration { return d.Mean }

// String is how ParseTimes takes it.
func (d Dist) String() string {
	switch d.Shape {
	case machine.Exponential:
		return "exp:" + d.Mean.String()
	case machine.Uniform:
		return "uniform:" + d.Mean.String()
	case machine.Lognormal:
		if d.CV == scatter {
			return d.Mean.String()
		}
		return fmt.Sprintf("lognormal:%v:%g", d.Mean, d.CV)
	}
	return "fixed:" + d.Mean.String()
}

// scatter is the coefficient of variation of a bare time. No program's times are
// exact, and equal ones freeze threads into a pattern that no computer shows: a
// sleeper whom others pass at the same moment each round is never woken.
const scatter = 0.1

// legalTimes is what ParseTimes takes.
const legalTimes = "a time such as 200ns, which scatters by a tenth, or fixed:200ns, exp:200ns, uniform:200ns, lognormal:200ns:CV, or a histogram such as hist:100ns=90,2us=10"

// maxTime bounds a hold and a pause: beyond it a run has too few of them.
const maxTime = time.Second

// ParseTimes takes a hold or a pause: nearly fixed, fixed, exponential, uniform, lognormal with a
// coefficient of variation, or a histogram of times with their weights.
func ParseTimes(text string) (Times, error) {
	shape, rest, named := strings.Cut(text, ":")
	if !named {
		return fixed(text, machine.Dist{Shape: machine.Lognormal, CV: scatter}, text)
	}
	switch shape {
	case "fixed":
		return fixed(rest, machine.Dist{}, text)
	case "exp":
		return fixed(rest, machine.Dist{Shape: machine.Exponential}, text)
	case "uniform":
		return fixed(rest, machine.Dist{Shape: machine.Uniform}, text)
	case "lognormal":
		mean, cv, _ := strings.Cut(rest, ":")
		v, err := strconv.ParseFloat(cv, 64)
		if err != nil || !(v > 0 && v <= 100) {
			return nil, fmt.Errorf("%q; legal: lognormal:MEAN:CV, CV more than 0, up to 100", text)
		}
		return fixed(mean, machine.Dist{Shape: machine.Lognormal, CV: v}, text)
	case "hist":
		return parseHistogram(rest, text)
	}
	return nil, fmt.Errorf("%q; legal: %s", text, legalTimes)
}

func fixed(text string, d machine.Dist, whole string) (Times, error) {
	ns, err := param.ParseDuration(text)
	if err != nil || ns < 0 || ns > float64(maxTime) {
		return nil, fmt.Errorf("%q; legal: %s; up to %v", whole, legalTimes, maxTime)
	}
	d.Mean = time.Duration(math.Round(ns))
	return Dist{d}, nil
}

// Histogram is times with weights.
type Histogram struct {
	at  []time.Duration
	up  []float64 // cumulated shares, the last 1
	avg time.Duration
}

// NewHistogram makes one of times and their weights; its error says what is legal.
func NewHistogram(at []time.Duration, weights []float64) (*Histogram, error) {
	h := &Histogram{at: at}
	sum, avg := 0.0, 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) || at[i] < 0 || at[i] > maxTime {
			return nil, fmt.Errorf("%v=%v; legal: a time up to %v and a weight of 0 or more", at[i], w, maxTime)
		}
		sum += w
		avg += w * float64(at[i])
		h.up = append(h.up, sum)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil, fmt.Errorf("weights that add up to %v; legal: more than 0", sum)
	}
	for i := range h.up {
		h.up[i] /= sum
	}
	h.avg = time.Duration(avg / sum)
	return h, nil
}

// maxBuckets bounds a histogram on a command line.
const maxBuckets = 1000

func parseHistogram(text, whole string) (Times, error) {
	var at []time.Duration
	var weights []float64
	items := strings.Split(text, ",")
	if len(items) > maxBuckets {
		return nil, fmt.Errorf("a histogram of %d times; legal: up to %d", len(items), maxBuckets)
	}
	for _, item := range items {
		t, w, _ := strings.Cut(item, "=")
		ns, err := param.ParseDuration(t)
		weight, err2 := strconv.ParseFloat(w, 64)
		if err != nil || err2 != nil || ns < 0 || ns > float64(maxTime) {
			return nil, fmt.Errorf("%q in %q; legal: TIME=WEIGHT", item, whole)
		}
		at, weights = append(at, time.Duration(math.Round(ns))), append(weights, weight)
	}
	return NewHistogram(at, weights)
}

// Draw takes one of the times.
func (h *Histogram) Draw(r *rand.Rand) time.Duration {
	return h.at[sort.SearchFloat64s(h.up[:len(h.up)-1], r.Float64())]
}

// Avg is the mean.
func (h *Histogram) Avg() time.Duration { return h.avg }

// String says how many times it has, and their mean.
func (h *Histogram) String() string { return fmt.Sprintf("%d times of mean %v", len(h.at), h.avg) }
