package main

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// series is repetitions of one benchmark, in nanoseconds per operation.
type series []float64

func (s series) quantile(q float64) float64 { return stats.Sample{Xs: s}.Quantile(q) }

// String is the median and, in brackets, the quartiles.
func (s series) String() string {
	return fmt.Sprintf("%s (%s to %s)", ns(s.quantile(0.5)), ns(s.quantile(0.25)), ns(s.quantile(0.75)))
}

func ns(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// collect adds what a benchmark's output has in a unit of time, such as
// "sec/op", to the series of each name.
func collect(into map[string]series, output []byte, unit string) {
	for r := benchfmt.NewReader(bytes.NewReader(output), "benchmark"); r.Scan(); {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		if v, ok := res.Value(unit); ok {
			base, parts := res.Name.Parts()
			name := string(base)
			for _, p := range parts {
				if p[0] != '-' { // the number of cores
					name += string(p)
				}
			}
			into[name] = append(into[name], 1e9*v)
		}
	}
}

// apart says whether two series differ beyond their quartiles, and how likely
// such a difference is where there is none.
func apart(a, b series) string {
	word := "within quartiles"
	switch {
	case a.quantile(0.25) > b.quantile(0.75):
		word = "slower"
	case a.quantile(0.75) < b.quantile(0.25):
		word = "faster"
	}
	sample := func(s series) *benchmath.Sample { return benchmath.NewSample(s, &benchmath.DefaultThresholds) }
	return fmt.Sprintf("%s, p=%.3f", word, benchmath.AssumeNothing.Compare(sample(a), sample(b)).P)
}
