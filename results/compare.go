package results

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Compare puts one run beside the rows of the table that its case fills by
// itself, gains left out. It is nil where there are none.
func (p *Published) Compare(caseName string, r *Result, usedToFit []string) *Comparison {
	c := &Comparison{Source: p.Source(), OK: true, table: p}
	for _, f := range p.Figures {
		if f.Case != caseName || f.Against != "" {
			continue
		}
		if v, ok := r.Metric(f.Metric); ok {
			c.Rows = append(c.Rows, f.beside(v, usedToFit))
		}
	}
	if len(c.Rows) == 0 {
		return nil
	}
	c.OK = allWithin(c.Rows)
	return c
}

// Reproduce puts the runs of all cases beside the whole table. A case without
// a run is an error.
func (p *Published) Reproduce(runs map[string]*Result, usedToFit []string) (Reproduction, error) {
	return p.reproduce(runs, usedToFit, false)
}

// ReproducePartly is Reproduce for what was measured before an interrupt: rows
// whose runs are missing are left out, and nothing is found reproduced.
func (p *Published) ReproducePartly(runs map[string]*Result, usedToFit []string) (Reproduction, error) {
	return p.reproduce(runs, usedToFit, true)
}

func (p *Published) reproduce(runs map[string]*Result, usedToFit []string, partly bool) (Reproduction, error) {
	rep := Reproduction{Name: p.Name, Source: p.Source(), Fitted: []string{}}
	for _, name := range p.Cases() {
		switch r := runs[name]; {
		case r != nil:
			rep.take(name, r)
		case !partly:
			return rep, fmt.Errorf("%s: no run of case %s", p.Name, name)
		default:
			rep.Partial = true
		}
	}
	rep.addCases(p, runs)
	for _, f := range p.Figures {
		if runs[f.Case] == nil || f.Against != "" && runs[f.Against] == nil {
			continue
		}
		v, err := f.measure(runs)
		if err != nil {
			return rep, fmt.Errorf("%s: row %s: %w", p.Name, f.Row(), err)
		}
		rep.Rows = append(rep.Rows, f.beside(v, usedToFit))
	}
	rep.OK = allWithin(rep.Rows) && !rep.Partial
	return rep, nil
}

// take adds what a run says of itself: the parameters that any run has, and
// the warnings, once each and with the case that gave them.
func (rep *Reproduction) take(caseName string, r *Result) {
	rep.How, rep.Seed = r.How(), r.Experiment.Seed
	rep.Partial = rep.Partial || r.Partial
	for _, p := range r.Parameters {
		if !slices.ContainsFunc(rep.Parameters, func(q Parameter) bool { return q.Name == p.Name }) {
			rep.Parameters = append(rep.Parameters, p)
		}
	}
	rep.Fitted = Fitted(rep.Parameters)
	for _, w := range r.Warnings {
		rep.warn(caseName, w)
	}
}

// addCases sums all runs up.
func (rep *Reproduction) addCases(p *Published, runs map[string]*Result) {
	for _, name := range p.caseOrder(slices.Sorted(maps.Keys(runs))) {
		if r := runs[name]; r != nil {
			if c, ok := p.caseRun(name, r); ok {
				rep.Cases = append(rep.Cases, c)
			}
		}
	}
}

// warn adds a warning; one that other cases gave, too, gets one more name in
// front.
func (rep *Reproduction) warn(caseName, text string) {
	for i, w := range rep.Warnings {
		if cases, ok := strings.CutSuffix(w, ": "+text); ok {
			rep.Warnings[i] = cases + ", " + caseName + ": " + text
			return
		}
	}
	rep.Warnings = append(rep.Warnings, caseName+": "+text)
}

// measure is what the runs give for a figure.
func (f Figure) measure(runs map[string]*Result) (float64, error) {
	r := runs[f.Case]
	if f.Against != "" {
		return r.Gain(runs[f.Against], strings.TrimSuffix(f.Metric, gainSuffix))
	}
	v, ok := r.Metric(f.Metric)
	if !ok {
		return 0, fmt.Errorf("no figure %q in a result", f.Metric)
	}
	return v, nil
}

// beside is the row of a figure and its measured counterpart.
func (f Figure) beside(measured float64, usedToFit []string) Row {
	return Row{
		Name:      f.Row(),
		Published: f.Value,
		Measured:  measured,
		ErrorPct:  errorPct(f.Value, measured),
		Band:      f.Band.Width(f.Value),
		UsedToFit: f.usedToFit(usedToFit),
	}
}

// usedToFit reports whether a fitted value was chosen by the figure. One that
// is computed from nothing but such figures is no prediction either.
func (f Figure) usedToFit(rows []string) bool {
	used := func(row string) bool { return slices.Contains(rows, row) }
	return used(f.Row()) || len(f.Follows) > 0 && !slices.ContainsFunc(f.Follows, func(row string) bool { return !used(row) })
}

// errorPct is the error in percent of the published figure. Where that is 0,
// which only a gain is, it is the difference in points: of nothing there is no
// percentage.
func errorPct(published, measured float64) float64 {
	if published == 0 {
		return measured
	}
	return 100 * (measured - published) / published
}

func allWithin(rows []Row) bool {
	return !slices.ContainsFunc(rows, func(r Row) bool { return !r.Within() })
}

// verdict is Verdict, and what a guess that needs no model makes of the same
// bands.
func (p *Published) verdict(rows []Row) string {
	return strings.TrimSpace(Verdict(rows) + " " + NaiveInBands(p.EqualShares(rows)))
}

// Verdict sums rows up in one or two sentences: what was hit, what was missed,
// and how much of it was predicted.
func Verdict(rows []Row) string {
	within, predicted, predictedWithin := 0, 0, 0
	var missed []string
	for _, r := range rows {
		if r.Within() {
			within++
		} else {
			missed = append(missed, fmt.Sprintf("%s (published %s, here %s)", r.Name, number(r.Published), number(r.Measured)))
		}
		if !r.UsedToFit {
			predicted++
			if r.Within() {
				predictedWithin++
			}
		}
	}
	head := "Reproduced"
	if len(missed) > 0 {
		head = "Not reproduced"
	}
	s := fmt.Sprintf("%s: %d of %d rows within their bands; of the %d that no fitted value was chosen by, %d.", head, within, len(rows), predicted, predictedWithin)
	const enough = 4 // the table above has them all
	if n := len(missed) - enough; n > 0 {
		missed = append(missed[:enough], fmt.Sprintf("%d more", n))
	}
	if len(missed) > 0 {
		s += " Missed: " + strings.Join(missed, "; ") + "."
	}
	return s
}
