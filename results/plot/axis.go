package plot

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hostlock/machine/param"
	"hostlock/results"
)

// axis is what a chart's points are drawn against.
type axis struct {
	name  string // "" is cores
	label string
	value func(*results.SweepPoint) float64
}

// Check reports, before a sweep is run, whether a chart of it can be drawn. Its
// error is one line that says what would be legal.
func Check(d *results.SweepDef) error {
	x, err := axisOf(d)
	if err != nil {
		return err
	}
	lines := len(d.Strategies)
	for _, a := range d.Axes {
		if a.Name != x.name {
			lines *= len(a.Values)
		}
	}
	return checkLines(lines)
}

func checkLines(n int) error {
	if n > maxLines {
		return fmt.Errorf("a chart of %d lines cannot be read; legal: up to %d, by fewer strategies or fewer parameters that vary", n, maxLines)
	}
	return nil
}

// axisOf takes the cores where they vary, and else the first parameter that
// varies in numbers.
func axisOf(d *results.SweepDef) (axis, error) {
	if len(d.Cores) > 1 {
		return axis{"", "cores", func(p *results.SweepPoint) float64 { return float64(p.Cores) }}, nil
	}
	for _, a := range d.Axes {
		scale, unit, read, ok := numeric(a.Values)
		if !ok {
			continue
		}
		label := a.Name
		if unit != "" {
			label += ", " + unit
		}
		return axis{a.Name, label, func(p *results.SweepPoint) float64 {
			v, _ := read(p.Value(a.Name))
			return v / scale
		}}, nil
	}
	return axis{}, errors.New("nothing varies that a chart could be drawn against; legal: several --cores, or several numbers for one --set")
}

// lineName is what tells a point's line from the others.
func (x axis) lineName(p *results.SweepPoint) string {
	parts := []string{p.Strategy}
	for _, kv := range p.Set {
		if kv.Name != x.name {
			parts = append(parts, kv.Name+"="+kv.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// numeric reports whether all values are numbers, or all durations, or all
// sizes, in which unit they are drawn, and how one is read.
func numeric(values []string) (scale float64, unit string, read func(string) (float64, kind), ok bool) {
	read = parse
	if slices.ContainsFunc(values, func(v string) bool { _, k := parse(v); return k == isSize }) {
		read = parseSize // "1m" beside "512k" is no minute
	}
	count := map[kind]int{}
	most := 0.0
	for _, v := range values {
		n, kind := read(v)
		if n < 0 {
			return 0, "", nil, false
		}
		if kind == isNumber && n == 0 {
			continue // of nothing the unit may be left out
		}
		count[kind]++
		most = max(most, n)
	}
	if len(count) > 1 {
		return 0, "", nil, false
	}
	units := map[kind][]step{
		isDuration: {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}},
		isSize:     {{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "bytes"}},
	}
	for kind, steps := range units {
		for _, s := range steps {
			if count[kind] > 0 && (most >= s.scale || s.scale == 1) {
				return s.scale, s.unit, read, true
			}
		}
	}
	return 1, "", read, true
}

// step is a unit of an axis.
type step struct {
	scale float64
	unit  string
}

// kind is what a value is.
type kind int

const (
	isNumber kind = iota
	isDuration
	isSize
)

// parse reads a number, a duration in ns, or a size in bytes; -1 is none of
// them.
func parse(text string) (float64, kind) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n, isNumber
	}
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d), isDuration
	}
	return parseSize(text)
}

func parseSize(text string) (float64, kind) {
	if n, err := param.ParseBytes(text); err == nil {
		return n, isSize
	}
	return -1, isNumber
}
