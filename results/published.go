package results

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Published is a table of the literature as data, with what its source says
// about how it came about, and what it does not say.
type Published struct {
	Name   string // key in experiments' files
	Title  string
	Author string // of the figures
	Date   string
	List   string // where they were posted
	Kernel string
	Test   string // what was run
	Change string // what was changed between the rows

	// Guess is a naive guess at the figures, in words: what needs no model. Each
	// figure has its value.
	Guess string

	Figures   []Figure
	NotGiven  []string // what the source does not state; ours to choose
	Notes     []string // what the source says beside the figures, or what follows from them
	Conflicts []string // where the figures and other facts cannot both hold
}

// Figure is one published number.
type Figure struct {
	Case   string  // the run that gives its counterpart: "before"
	Metric string  // what of that run's result, with its unit: see [Result.Metric]
	Label  string  // as the source calls it
	Value  float64 // in the metric's unit
	Band   Band    // how near a reproduction must come

	Against string   // for a gain: the case that it is a gain over
	PartOf  string   // row of the sum that this figure is a part of
	Follows []string // rows that it is computed from; nil for an independent figure
	Guess   float64  // by the table's naive guess, where it has one
	Approx  bool     // the source says "about" or "up to"

	// Scatter is how far our own figure moves from seed to seed, in its unit: less
	// than that tells no two guesses apart.
	Scatter float64
}

// Band is how far a measured figure may lie from the published one.
type Band struct {
	Abs float64 // in the figure's unit
	Rel float64 // in percent of the figure; one of the two is zero
}

// Width is the band in the unit of a figure of that value.
func (b Band) Width(value float64) float64 {
	if b.Rel > 0 {
		return value * b.Rel / 100
	}
	return b.Abs
}

// Gain metrics compare two cases; all others are figures of one result.
const gainSuffix = "_gain_points"

// Row is the name of the figure's row: the case, a dot, the metric.
func (f Figure) Row() string { return f.Case + "." + f.Metric }

// Source is author, list, date and kernel on one line.
func (p *Published) Source() string {
	return fmt.Sprintf("%s, %s, %s, kernel %s", p.Author, p.List, p.Date, p.Kernel)
}

// RowNames lists the rows of the table.
func (p *Published) RowNames() []string {
	names := make([]string, len(p.Figures))
	for i, f := range p.Figures {
		names[i] = f.Row()
	}
	return names
}

// Cases lists the runs that a reproduction needs, in the order of the table.
func (p *Published) Cases() []string {
	var cases []string
	for _, f := range p.Figures {
		for _, c := range []string{f.Against, f.Case} {
			if c != "" && !slices.Contains(cases, c) {
				cases = append(cases, c)
			}
		}
	}
	return cases
}

// Figure finds a figure by its row.
func (p *Published) Figure(row string) (Figure, bool) {
	for _, f := range p.Figures {
		if f.Row() == row {
			return f, true
		}
	}
	return Figure{}, false
}

// Independent counts the figures that do not follow from others.
func (p *Published) Independent() int {
	n := 0
	for _, f := range p.Figures {
		if f.Follows == nil {
			n++
		}
	}
	return n
}

var published = []*Published{&hostLock, &transferSize, &maxSGE, &cmdPerLUN}

// PublishedNames lists the tables that there are.
func PublishedNames() []string {
	names := make([]string, len(published))
	for i, p := range published {
		names[i] = p.Name
	}
	return names
}

// LookupPublished finds a table by its name, or a former one; its error names
// them all.
func LookupPublished(name string) (*Published, error) {
	for _, p := range published {
		if p.Name == ExperimentName(name) {
			return p, nil
		}
	}
	return nil, fmt.Errorf("unknown published table %q; legal: %s", name, strings.Join(PublishedNames(), ", "))
}

// formerNames are names that experiments and published tables had before.
var formerNames = map[string]string{"host-lock": "chen-2010"}

// ExperimentName is the name that an experiment, or its published table, has
// today: what was written under a former name is read as if it had been written
// under that. Underscores stand for hyphens in a former name.
func ExperimentName(name string) string {
	if now, ok := formerNames[strings.ReplaceAll(name, "_", "-")]; ok {
		return now
	}
	return name
}

// FormerNames are the former names that are still read, in order.
func FormerNames() []string { return slices.Sorted(maps.Keys(formerNames)) }
