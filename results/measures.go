package results

import (
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"gonum.org/v1/gonum/stat"

	"hostlock/machine"
)

// Latency summarises the time from a command's submission to its completion,
// in microseconds.
type Latency struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99.9"`
	Max  float64 `json:"max"`
}

// LatencyOf summarises a histogram of nanoseconds; nil and empty ones give
// zeros.
func LatencyOf(h *hdrhistogram.Histogram) Latency {
	if h == nil || h.TotalCount() == 0 {
		return Latency{}
	}
	us := func(percentile float64) float64 { return float64(h.ValueAtPercentile(percentile)) / 1e3 }
	return Latency{
		Mean: h.Mean() / 1e3,
		P50:  us(50), P95: us(95), P99: us(99), P999: us(99.9),
		Max: float64(h.Max()) / 1e3,
	}
}

// quantiles lists the figures by their JSON names.
func (l Latency) quantiles() Shares {
	return Shares{{"mean", l.Mean}, {"p50", l.P50}, {"p95", l.P95}, {"p99", l.P99}, {"p99.9", l.P999}, {"max", l.Max}}
}

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

// budget adds up what the cores did. Its rows are named by what it was, and
// behind a dot by where: work.scsi_request_fn, spin.host_lock, idle.
type budget struct {
	by [machine.WhatCount]map[string]time.Duration
}

func (b *budget) add(s machine.Sample) {
	if b.by[s.What] == nil {
		b.by[s.What] = map[string]time.Duration{}
	}
	b.by[s.What][where(s)] += s.Time
}

// where is the second half of a row's name: the section of work, the class of
// a lock or line; nothing else is split.
func where(s machine.Sample) string {
	name := ""
	switch s.What {
	case machine.Working:
		name = s.Section
	case machine.Spinning, machine.LineWait, machine.Retrying:
		name = s.Class
	default:
		return ""
	}
	if name == "" {
		return "other"
	}
	return name
}

// shares lists the rows over a total in nanoseconds: in the order of
// machine.What, and within it by name.
func (b *budget) shares(total float64) Shares {
	var out Shares
	for what := range machine.WhatCount {
		for _, name := range sortedKeys(b.by[what]) {
			row := strings.TrimSuffix(what.String()+"."+name, ".")
			out.Set(row, 100*float64(b.by[what][name])/total)
		}
	}
	return out
}
