package plot

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

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
		scale, unit, ok := numeric(a.Values)
		if !ok {
			continue
		}
		label := a.Name
		if unit != "" {
			label += ", " + unit
		}
		return axis{a.Name, label, func(p *results.SweepPoint) float64 {
			v, _ := parse(p.Value(a.Name))
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

// numeric reports whether all values are numbers, or all durations, and in
// which unit they are drawn.
func numeric(values []string) (scale float64, unit string, ok bool) {
	durations := 0
	most := 0.0
	for _, v := range values {
		n, isDuration := parse(v)
		if n < 0 {
			return 0, "", false
		}
		if isDuration {
			durations++
		}
		most = max(most, n)
	}
	switch {
	case durations == 0:
		return 1, "", true
	case durations < len(values):
		return 0, "", false
	case most >= 1e9:
		return 1e9, "s", true
	case most >= 1e6:
		return 1e6, "ms", true
	case most >= 1e3:
		return 1e3, "µs", true
	}
	return 1, "ns", true
}

// parse reads a number, or a duration in ns; -1 is neither.
func parse(text string) (v float64, isDuration bool) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n, false
	}
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d), true
	}
	return -1, false
}
