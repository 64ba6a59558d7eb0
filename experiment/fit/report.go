package fit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"hostlock/results"
)

// WriteJSON prints all of it as one object.
func (f *Found) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(f)
}

// WriteText prints the answer, then the parameters and answers with their
// ranges.
func (f *Found) WriteText(w io.Writer, markdown bool) error {
	params := results.Table{
		Title: f.title(),
		Head:  []string{"parameter", "in the file", "box", "least", "median", "most", "at the box's edge"},
		Align: "lrrrrrl",
	}
	for i, s := range f.Parameters {
		k := f.plan.knobs[i]
		params.Rows = append(params.Rows, []string{
			s.Name, s.text(k.own.Num), s.text(*s.From) + " to " + s.text(*s.To), s.text(s.Low), s.text(s.Median), s.text(s.High), s.atEdge(),
		})
	}
	answers := results.Table{
		Head:  []string{"IOPS against " + f.Strategy, "least", "median", "most", "a parameter at its edge there"},
		Align: "lrrrl",
	}
	for _, s := range f.Answers {
		answers.Rows = append(answers.Rows, []string{s.Name, s.text(s.Low), s.text(s.Median), s.text(s.High), s.atEdge()})
	}
	answers.Lines = append(answers.Lines, f.words()...)
	return results.WriteTables(w, markdown, params, answers)
}

func (f *Found) targets() string {
	var out []string
	for _, t := range f.Targets {
		out = append(out, fmt.Sprintf("%s=%g ± %s", t.Name, t.Value, results.Number(t.Tolerance)))
	}
	return strings.Join(out, ", ")
}

func (f *Found) title() string {
	return fmt.Sprintf("%s fit %s (simulated: %s under %s)", results.Count(len(f.Sets), "parameter set"), f.targets(), f.Experiment, f.Strategy)
}

// words are what the tables say; the answers come last.
func (f *Found) words() []string {
	lines := []string{fmt.Sprintf("found by %d searches from all over the box, in %d runs; a set that none of them met may fit too", f.Searches, f.Runs)}
	var edges []string
	for _, s := range f.Parameters {
		if s.atEdge() != "" {
			edges = append(edges, s.Name)
		}
	}
	switch {
	case len(edges) > 0:
		lines = append(lines, strings.Join(edges, " and ")+": the box ends before the sets that fit do; a wider --box may find more of them")
	case len(f.Targets) < len(f.Parameters):
		lines = append(lines, "fewer targets than parameters: sets that fit lie along a line or more, which only more targets cut short")
	}
	for _, s := range f.Answers {
		line := fmt.Sprintf("%s is %s than %s over every set that fits", s.Name, faster(s.Low, s.High), f.Strategy)
		if e := s.atEdge(); e != "" {
			line += "; its range ends where " + e + " does: at the edge of the box"
		}
		lines = append(lines, line)
	}
	return lines
}

// faster is a range of changes in words.
func faster(low, high float64) string {
	switch {
	case low >= 0:
		return fmt.Sprintf("%.1f to %.1f %% faster", low, high)
	case high <= 0:
		return fmt.Sprintf("%.1f to %.1f %% slower", -high, -low)
	}
	return fmt.Sprintf("%.1f %% slower to %.1f %% faster", -low, high)
}

func (s Spread) atEdge() string {
	names := slices.Concat(s.LowEdge, s.HighEdge)
	if s.From != nil { // a parameter's own edge is what counts of it
		names = slices.DeleteFunc(names, func(n string) bool { return n != s.Name })
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// text is a value with its unit.
func (s Spread) text(v float64) string {
	switch s.Unit {
	case "%":
		return fmt.Sprintf("%+.1f %%", v)
	case "ns":
		d := time.Duration(v)
		if d >= 10*time.Microsecond {
			return d.Round(10 * time.Nanosecond).String()
		}
		return d.String()
	}
	return strings.TrimSpace(fmt.Sprintf("%.4g %s", v, cmp.Or(s.Unit, "")))
}
