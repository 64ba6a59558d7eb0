package compare

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"golang.org/x/perf/benchmath"

	"hostlock/experiment/spec"
	"hostlock/results"
)

// Gate is whether any side is slower than the first by more than a limit, and
// not by chance: the first side's samples, made slower by the limit, are still
// faster than the side's, in a one-sided sense of a two-sided Mann-Whitney
// U-test. All figures that are judged share one chance of a false alarm
// ([alpha]), in equal parts (Bonferroni): a file of a hundred benchmarks raises
// no more alarms than one of a single one.
type Gate struct {
	Limit  float64  // percent
	Judged int      // figures
	Slower []Change // those beyond the limit
}

// speed reports whether a change is of the figure by which its benchmark's speed
// is judged: I/Os a second, or time an operation, or else a rate.
func (c *Change) speed(all []Change) bool {
	rank := func(unit string) int {
		switch {
		case strings.EqualFold(unit, "iops"):
			return 3
		case unit == "sec/op":
			return 2
		case strings.HasSuffix(unit, "/s"):
			return 1
		}
		return 0
	}
	own := rank(c.Figure)
	if own == 0 {
		return false
	}
	for i := range all {
		if o := &all[i]; o.B == c.B && o.Benchmark == c.Benchmark && rank(o.Figure) > own {
			return false
		}
	}
	return true
}

// slower reports whether a change of a speed is for the worse.
func (c *Change) slower() bool { return (c.Change < 0) != c.time() }

// time reports whether less of the figure is better.
func (c *Change) time() bool { return c.better < 0 || c.better == 0 && c.Figure == "sec/op" }

// LeastRuns is how many runs a side must have where so many figures are judged:
// with fewer, no difference could be called one.
func LeastRuns(judged int) int {
	n := 2
	for leastP(n, n) >= alpha/float64(max(judged, 1)) {
		n++
	}
	return n
}

// leastP is the least p that a two-sided U-test of such samples can give: all of
// one are above all of the other.
func leastP(a, b int) float64 {
	orders, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(a+b), int64(a))).Float64()
	return min(1, 2/orders)
}

// CheckGate refuses a limit that is none, and a request whose runs could never
// tell. Its error is a [spec.UsageError].
func CheckGate(limit float64, judged, runs int) error {
	if !(limit >= 0 && limit < 100) {
		return spec.Usagef("--gate %v; legal: 0 to less than 100, in percent", limit)
	}
	if need := LeastRuns(judged); runs < need {
		return spec.Usagef("--gate with %s a side: no difference could be told from chance in %s; legal: %d runs or more", results.Count(runs, "run"), results.Count(judged, "figure"), need)
	}
	return nil
}

// judge fills a gate from the changes that are of a speed.
func judge(changes []Change, limit float64) (*Gate, error) {
	var of []*Change
	for i := range changes {
		if c := &changes[i]; c.speed(changes) {
			of = append(of, c)
		}
	}
	if len(of) == 0 {
		return nil, spec.Usagef("--gate: none of the figures is a speed; legal: results of runs, or benchmarks in ns/op or a unit a second")
	}
	g := &Gate{Limit: limit, Judged: len(of)}
	for _, c := range of {
		if err := CheckGate(limit, len(of), c.Runs); err != nil {
			return nil, err
		}
		factor := 1 - limit/100
		if c.time() {
			factor = 1 + limit/100
		}
		allowed := make([]float64, len(c.a))
		for i, v := range c.a {
			allowed[i] = v * factor
		}
		p := benchmath.AssumeNothing.Compare(sample(allowed), sample(c.b)).P
		beyond := c.MedianB < median(allowed)
		if c.time() {
			beyond = c.MedianB > median(allowed)
		}
		failed := beyond && p < alpha/float64(len(of))
		c.Gate, c.GateFailed = &g.Limit, &failed
		if failed {
			g.Slower = append(g.Slower, *c)
		}
	}
	return g, nil
}

// Err is nil where the gate was passed.
func (g *Gate) Err() error {
	if len(g.Slower) == 0 {
		return nil
	}
	return fmt.Errorf("%s", g.Words())
}

// Words say how the gate was passed, or by what it was not.
func (g *Gate) Words() string {
	if len(g.Slower) == 0 {
		return fmt.Sprintf("gate passed: nothing is more than %v %% slower, beyond chance (%s judged)", g.Limit, results.Count(g.Judged, "figure"))
	}
	var parts []string
	for i := range g.Slower {
		c := &g.Slower[i]
		name := c.B
		if c.Benchmark != "" {
			name += ": " + c.Benchmark
		}
		parts = append(parts, fmt.Sprintf("%s, %s %+.1f %%", name, c.Figure, c.Change))
	}
	return fmt.Sprintf("gate failed: more than %v %% slower, beyond chance: %s", g.Limit, strings.Join(parts, "; "))
}

// Gate is as [Comparison] says.
func (rep *BenchReport) Gate(limit float64) (*Gate, error) {
	g, err := judge(rep.Changes, limit)
	rep.gate = g
	return g, err
}

// Gate is as [Comparison] says.
func (rep *Report) Gate(limit float64) (*Gate, error) {
	g, err := judge(rep.Changes, limit)
	rep.gate = g
	return g, err
}

// WriteBench is as [Comparison] says.
func (rep *Report) WriteBench(w io.Writer) error {
	var all []Benchmarks
	for _, s := range rep.Sides {
		all = append(all, s.benchmarks())
	}
	return writeBench(w, all)
}
