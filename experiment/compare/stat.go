package compare

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"

	"hostlock/results"
)

// Series is the runs of one side.
type Series struct {
	Name string
	Runs []*results.Result
}

// Change is how one figure of a side differs from the first side's.
type Change struct {
	A      string `json:"a"`
	B      string `json:"b"`
	Figure string `json:"figure"` // or the unit, of a benchmark
	// Benchmark is what was measured, where sides are of Go's benchmark format.
	Benchmark string `json:"benchmark,omitempty"`
	// Change is that of the median paired ratio in percent, Low and High its
	// interval over the runs: chance alone. They are nil where the runs do not
	// pair, or are too few.
	Change float64  `json:"change_pct"`
	Low    *float64 `json:"low_pct"`
	High   *float64 `json:"high_pct"`
	// FitLow and FitHigh are the least and the largest change over parameter sets
	// that fit as well: what is not known. nil where there are no such sets.
	FitLow  *float64 `json:"fit_low_pct"`
	FitHigh *float64 `json:"fit_high_pct"`
	// Significant: sides that do not differ would give such samples in less than
	// one of twenty comparisons.
	Significant bool `json:"significant"`

	P       float64 `json:"p"` // two-sided, of the Mann-Whitney U-test
	MedianA float64 `json:"a_median"`
	MedianB float64 `json:"b_median"`
	Runs    int     `json:"runs"` // of the side that has fewer
	Paired  bool    `json:"paired"`
	FitSets int     `json:"fit_sets"`
	Machine string  `json:"machine,omitempty"`

	// Gate is the limit that the change was judged by, in percent, and GateFailed
	// whether it is beyond; nil where it was not judged.
	Gate       *float64 `json:"gate_pct,omitempty"`
	GateFailed *bool    `json:"gate_failed,omitempty"`

	a, b   []float64 // the samples
	better int       // +1 where more is better, -1 where less is; 0 where nobody says
}

// alpha is how often sides that do not differ may be called different.
const alpha = 0.05

// confidence is that of the interval of a median.
const confidence = 0.95

// figure is one that sides are compared by.
type figure struct {
	name, label string
	share       bool // a percentage of time
	of          func(*results.Result) float64
}

// figures are those that a comparison prints, the first one being the answer.
var figures = []figure{
	{"iops", "IOPS", false, func(r *results.Result) float64 { return r.IOPS }},
	{"latency_us.mean", "latency, mean, us", false, func(r *results.Result) float64 { return r.Latency.Mean }},
	{"latency_us.p99", "latency, p99, us", false, func(r *results.Result) float64 { return r.Latency.P99 }},
	{"cpu.host_lock_pct", "host-lock share, %", true, func(r *results.Result) float64 { return r.CPU.HostLock }},
	{"cpu.contention_pct", "contention, %", true, func(r *results.Result) float64 { return r.CPU.Contention }},
	{"cpu.busy_pct", "busy, %", true, func(r *results.Result) float64 { return r.CPU.Busy }},
}

// changeOf compares a figure of two sides. It is false where side a has none
// of it, of which nothing is a percentage.
func changeOf(a, b Series, f figure) (Change, bool) {
	xa, xb := values(a, f), values(b, f)
	c := Change{
		A: a.Name, B: b.Name, Figure: f.name, Runs: min(len(xa), len(xb)),
		MedianA: median(xa), MedianB: median(xb), Paired: pair(a, b), P: 1, a: xa, b: xb,
	}
	if c.Runs > 0 {
		c.Machine = a.Runs[0].Experiment.Machine
	}
	if !(c.MedianA > 0) || f.share && max(c.MedianA, c.MedianB) < leastShare {
		return c, false
	}
	c.Change = pct(c.MedianB / c.MedianA)
	if c.Paired {
		ratios := make([]float64, len(xa))
		for i := range xa {
			ratios[i] = xb[i] / xa[i]
		}
		if slices.ContainsFunc(ratios, func(r float64) bool { return math.IsNaN(r) || math.IsInf(r, 0) }) {
			return c, false
		}
		s := benchmath.AssumeNothing.Summary(sample(ratios), confidence)
		c.Change = pct(s.Center)
		if !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) && s.Confidence >= confidence { // infinite where the runs are too few
			low, high := pct(s.Lo), pct(s.Hi)
			c.Low, c.High = &low, &high
		}
	}
	if c.Runs > 1 {
		c.P = benchmath.AssumeNothing.Compare(sample(xa), sample(xb)).P
	}
	c.Significant = c.P < alpha && (c.Low == nil || *c.Low > 0 || *c.High < 0)
	return c, true
}

// pair reports whether the runs of two sides belong together one by one: by
// their seeds in virtual time, by their order on this computer, where sides take
// turns.
func pair(a, b Series) bool {
	if len(a.Runs) != len(b.Runs) || len(a.Runs) == 0 {
		return false
	}
	seen := map[uint64]bool{}
	for i, r := range a.Runs {
		seed := r.Experiment.Seed
		if seed != b.Runs[i].Experiment.Seed || seen[seed] || r.Experiment.Machine != b.Runs[i].Experiment.Machine {
			return false
		}
		seen[seed] = true
	}
	return true
}

func values(s Series, f figure) []float64 {
	out := make([]float64, len(s.Runs))
	for i, r := range s.Runs {
		out[i] = f.of(r)
	}
	return out
}

func sample(x []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(x), &benchmath.DefaultThresholds)
}

func median(x []float64) float64 { return stats.Sample{Xs: x}.Quantile(0.5) }

func pct(ratio float64) float64 { return 100 * (ratio - 1) }

// fitRange puts the range over parameter sets into a change. Sets in which side
// a has nothing of the figure say nothing of it.
func (c *Change) fitRange(a, b []*results.Result, f figure) {
	for i := range a {
		if a[i] == nil || b[i] == nil || !(f.of(a[i]) > 0) {
			continue
		}
		x := pct(f.of(b[i]) / f.of(a[i]))
		if c.FitSets++; c.FitLow == nil {
			low, high := x, x
			c.FitLow, c.FitHigh = &low, &high
		}
		*c.FitLow, *c.FitHigh = min(*c.FitLow, x), max(*c.FitHigh, x)
	}
}
