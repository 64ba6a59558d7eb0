package imports

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hostlock/record"
)

var benchLine = regexp.MustCompile(`^(Benchmark\S*?)(?:-(\d+))?\s+\d+\s+([0-9.e+]+) ns/op`)

// benchmarks reads go test -bench -cpu text: how the time of an operation grows
// with GOMAXPROCS. No lock is in it; whether one could be is.
func benchmarks(text []byte, f Frame) (*record.Record, error) {
	type point struct {
		procs int
		ns    float64
	}
	by := map[string][]point{}
	var names []string
	for line := range strings.Lines(string(text)) {
		m := benchLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		procs := 1
		if m[2] != "" {
			n, err := strconv.Atoi(m[2])
			if err != nil || n < 1 || n > 1<<20 {
				continue
			}
			procs = n
		}
		ns, err := strconv.ParseFloat(m[3], 64)
		if err != nil || !(ns > 0) || ns > 1e18 {
			continue
		}
		if by[m[1]] == nil {
			names = append(names, m[1])
		}
		by[m[1]] = append(by[m[1]], point{procs, ns})
	}
	if len(names) == 0 {
		return nil, bad("has no line of a benchmark with ns/op")
	}
	r := empty("benchmark text", f)
	worst, worstName, span := 0.0, "", ""
	for _, name := range names {
		ps := by[name]
		sum, n := map[int]float64{}, map[int]int{}
		for _, p := range ps {
			sum[p.procs] += p.ns
			n[p.procs]++
			r.Procs = max(r.Procs, p.procs)
		}
		low := slices.MinFunc(ps, func(a, b point) int { return cmp.Compare(a.procs, b.procs) }).procs
		high := slices.MaxFunc(ps, func(a, b point) int { return cmp.Compare(a.procs, b.procs) }).procs
		if low == high {
			continue
		}
		if ratio := (sum[high] / float64(n[high])) / (sum[low] / float64(n[low])); ratio > worst {
			worst, worstName, span = ratio, name, fmt.Sprintf("%d to %d", low, high)
		}
	}
	r.Unknown = append(r.Unknown, "which lock it is, if any: lab record -- go test -bench says", howToHold)
	switch {
	case worstName == "":
		r.Words = "One GOMAXPROCS alone is in this text: it says nothing about locks; go test -bench . -cpu 1,2,4 does."
	case worst > 1:
		r.Words = fmt.Sprintf("%s gets slower with cores: %.2g times the time an operation from GOMAXPROCS %s (measured); something is shared.", worstName, worst, span)
	default:
		r.Words = fmt.Sprintf("No benchmark gets slower with cores: the worst, %s, takes %.2g times the time an operation from GOMAXPROCS %s (measured).", worstName, worst, span)
	}
	return r, nil
}
