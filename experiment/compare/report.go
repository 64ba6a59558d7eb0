package compare

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"hostlock/results"
)

// Report is what a comparison found.
type Report struct {
	Sides   []Series
	Changes []Change // of each figure, of each side against the first
	Note    string   // why there is no range over parameter sets; "" where there is one
	plan    *Plan    // nil for results of runs that are over
	fits    [][]*results.Result
	gate    *Gate    // nil where none was asked for
	next    []string // what bounds each side, by trial; "" where it is not known
}

// Of compares results of runs that are over.
func Of(sides []Series) (*Report, error) {
	rep := &Report{Sides: sides}
	return rep, rep.compare()
}

var errNoIOPS = errors.New("no commands completed in the runs of the first side: nothing can be compared with them")

func (rep *Report) compare() error {
	a := rep.Sides[0]
	for i, b := range rep.Sides[1:] {
		for _, f := range figures {
			c, ok := changeOf(a, b, f)
			if !ok && f.name == figures[0].name {
				return errNoIOPS
			}
			if !ok {
				continue
			}
			if len(rep.fits) > 0 {
				c.fitRange(rep.fits[0], rep.fits[i+1], f)
			}
			rep.Changes = append(rep.Changes, c)
		}
	}
	return nil
}

// of is the change of a figure of a side.
func (rep *Report) of(side int, name string) *Change {
	seen := 0
	for i := range rep.Changes {
		c := &rep.Changes[i]
		if c.Figure == figures[0].name {
			seen++
		}
		if seen == side && c.Figure == name {
			return c
		}
	}
	return nil
}

// WriteJSON prints the changes as one array.
func (rep *Report) WriteJSON(w io.Writer) error { return writeChanges(w, rep.Changes) }

func rounded(v float64) float64 { return math.Round(1e4*v) / 1e4 }

// WriteText prints the answer, the figures behind it, and the closing sentence
// of each side.
func (rep *Report) WriteText(w io.Writer, markdown bool) error {
	var t results.Table
	t.Title = rep.title()
	t.Head, t.Align = []string{"figure", rep.Sides[0].Name}, "lr"
	for i := range rep.Sides[1:] {
		t.Head = append(t.Head, rep.Sides[i+1].Name, "change, %", "noise, ±", "p")
		t.Align += "rrrr"
		if rep.ranged() {
			t.Head, t.Align = append(t.Head, "sets that fit"), t.Align+"r"
		}
	}
	for _, f := range figures {
		row := []string{f.label, ""}
		for i := range rep.Sides[1:] {
			c := rep.of(i+1, f.name)
			if c == nil {
				row = append(row, results.Number(median(values(rep.Sides[i+1], f))), "-", "-", "-")
				row[1] = results.Number(median(values(rep.Sides[0], f)))
				if rep.ranged() {
					row = append(row, "-")
				}
				continue
			}
			row[1] = results.Number(c.MedianA)
			row = append(row, results.Number(c.MedianB), fmt.Sprintf("%+.2f", c.Change), c.noise(), c.chance())
			if rep.ranged() {
				row = append(row, c.fits())
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Lines = rep.words()
	if rep.gate != nil {
		t.Lines = append(t.Lines, rep.gate.Words())
	}
	return results.WriteTables(w, markdown, t)
}

func (rep *Report) ranged() bool {
	return slices.ContainsFunc(rep.Changes, func(c Change) bool { return c.FitSets > 0 })
}

// noise is half the interval of the median paired ratio, in percent.
func (c *Change) noise() string {
	if c.Low == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", (*c.High-*c.Low)/2)
}

// chance is p as tables have it.
func (c *Change) chance() string {
	if c.P < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", c.P)
}

func (c *Change) fits() string {
	if c.FitLow == nil {
		return "-"
	}
	return fmt.Sprintf("%+.2f to %+.2f", *c.FitLow, *c.FitHigh)
}

// title is the answer in one line.
func (rep *Report) title() string {
	var parts []string
	for i, b := range rep.Sides[1:] {
		parts = append(parts, b.Name+" is "+rep.of(i+1, figures[0].name).verdict())
	}
	return strings.Join(parts, "; ") + " than " + rep.Sides[0].Name + " (" + rep.how() + ")"
}

// verdict is "12.7 % faster".
func (c *Change) verdict() string {
	switch {
	case !c.Significant:
		return "neither faster nor slower"
	case c.Change > 0:
		return fmt.Sprintf("%.1f %% faster", c.Change)
	}
	return fmt.Sprintf("%.1f %% slower", -c.Change)
}

func (rep *Report) how() string {
	first := rep.Sides[0]
	if len(first.Runs) == 0 {
		return "no runs"
	}
	e := first.Runs[0].Experiment
	s := first.Runs[0].How()
	if rep.plan != nil {
		s += fmt.Sprintf(": %s, %s", e.Name, results.Count(e.Cores, "core"))
	}
	return s + ", " + results.Count(len(first.Runs), cmp.Or(map[bool]string{true: "run"}[e.Machine == "live"], "seed")) + " a side"
}
