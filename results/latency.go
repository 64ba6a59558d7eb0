package results

import "github.com/HdrHistogram/hdrhistogram-go"

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
