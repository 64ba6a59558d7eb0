package results

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Fairness says how evenly the threads got on.
type Fairness struct {
	Min    float64 `json:"per_thread_min"` // commands per second of the slowest thread
	Max    float64 `json:"per_thread_max"` // and of the fastest
	Stddev float64 `json:"stddev_pct"`     // standard deviation over threads, in percent of their mean
}

// FairnessOf compares the threads' counts of commands over a window in
// seconds.
func FairnessOf(perThread []int64, seconds float64) Fairness {
	if len(perThread) == 0 || seconds <= 0 {
		return Fairness{}
	}
	rates := make([]float64, len(perThread))
	for i, n := range perThread {
		rates[i] = float64(n) / seconds
	}
	f := Fairness{Min: slices.Min(rates), Max: slices.Max(rates)}
	// The threads are all there are, not a sample of more: the population's
	// deviation, which is also defined for a single one.
	if mean, sd := stat.PopMeanStdDev(rates, nil); mean > 0 {
		f.Stddev = 100 * sd / mean
	}
	return f
}
