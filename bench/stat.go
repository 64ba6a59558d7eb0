package main

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// series is repetitions of one benchmark, in nanoseconds per operation.
type series []float64

// quantile is linear between neighbours.
func (s series) quantile(q float64) float64 {
	if len(s) == 0 {
		return 0
	}
	v := append(series(nil), s...)
	sort.Float64s(v)
	at := q * float64(len(v)-1)
	i := int(at)
	j := min(i+1, len(v)-1)
	return v[i] + (at-float64(i))*(v[j]-v[i])
}

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

// collect adds what a benchmark's output has in a unit to the series of each
// name.
func collect(into map[string]series, output []byte, unit string) {
	lines := bufio.NewScanner(bytes.NewReader(output))
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		at := slices.Index(f, unit)
		if at < 3 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		v, err := strconv.ParseFloat(f[at-1], 64)
		if err != nil {
			continue
		}
		name := strings.TrimPrefix(f[0], "Benchmark")
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			if _, err := strconv.Atoi(name[i+1:]); err == nil {
				name = name[:i] // the number of cores
			}
		}
		into[name] = append(into[name], v)
	}
}

// apart says whether two series differ beyond their quartiles.
func apart(a, b series) string {
	switch {
	case a.quantile(0.25) > b.quantile(0.75):
		return "slower"
	case a.quantile(0.75) < b.quantile(0.25):
		return "faster"
	}
	return "within quartiles"
}
