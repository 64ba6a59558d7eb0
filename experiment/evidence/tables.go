package evidence

import (
	"fmt"
	"math"
	"slices"

	"hostlock/machine/param"
	"hostlock/results"
)

// Tables prints what was found: the sensitivity, then the ensemble, where there
// is one.
func (s *Setup) Tables(base Change, changes []Change, e *Ensembled) []results.Table {
	if e == nil {
		return []results.Table{s.sensitivityTable(base, changes)}
	}
	return append([]results.Table{s.sensitivityTable(base, changes)}, s.ensembleTables(e)...)
}

// columns of the sensitivity table: the sums, the rates and the gain, but not
// each function.
func (s *Setup) columns() []results.Figure {
	var out []results.Figure
	for _, f := range s.Table.Figures {
		if f.PartOf == "" {
			out = append(out, f)
		}
	}
	return out
}

func (s *Setup) sensitivityTable(base Change, changes []Change) results.Table {
	t := results.Table{
		Title: "Sensitivity of " + s.Spec.Name + ": one parameter changed at a time (simulated)",
		Head:  []string{"parameter", "change", "fitted"},
		Align: "lrl",
		Lines: []string{
			"Nothing is fitted anew here: each row is what the same model says when one number is wrong.",
			"A row that differs from the first by less than two seeds do shows that the parameter does not matter.",
		},
	}
	columns := s.columns()
	for _, f := range columns {
		t.Head = append(t.Head, f.Row())
		t.Align += "r"
	}
	row := func(c Change) {
		r := []string{c.Parameter, c.Step, map[bool]string{true: "fitted"}[c.Fitted]}
		for _, f := range columns {
			r = append(r, results.Number(c.Figures[f.Row()]))
		}
		t.Rows = append(t.Rows, r)
	}
	published := Change{Parameter: "published", Figures: figures{}}
	for _, f := range columns {
		published.Figures[f.Row()] = f.Value
	}
	row(published)
	row(base)
	for _, c := range changes {
		row(c)
	}
	return t
}

func (s *Setup) ensembleTables(e *Ensembled) []results.Table {
	rows := results.Table{
		Title: fmt.Sprintf("Ensemble: %d parameter sets drawn, %d of them fitted to every figure used to fit", e.Tried, e.Met),
		Head:  []string{"figure", "published", "used to fit", "min", "5 %", "median", "95 %", "max", "equal shares"},
		Align: "lrlrrrrrr",
		Lines: []string{
			fmt.Sprintf("Each set draws every number that is not fitted within a factor of %g either way, and 1 to 8 sockets; then the fitted ones are found anew.", wrongBy),
			"The range of a figure that was not used to fit is what the model can be said to predict of it.",
		},
	}
	for _, r := range e.Rows {
		used, equal := "", ""
		if r.UsedToFit {
			used = "yes"
		}
		if f, ok := s.Table.Figure(r.Row); ok && f.PartOf != "" {
			if sum, ok := s.Table.Figure(f.PartOf); ok {
				parts := 0
				for _, g := range s.Table.Figures {
					if g.PartOf == f.PartOf {
						parts++
					}
				}
				equal = results.Number(sum.Value / float64(parts))
			}
		}
		rows.Rows = append(rows.Rows, []string{r.Row, results.Number(r.Published), used,
			results.Number(r.Min), results.Number(r.P5), results.Number(r.Median), results.Number(r.P95), results.Number(r.Max), equal})
	}
	knobs := results.Table{
		Title: "Ensemble: the fitted parameters themselves",
		Head:  []string{"parameter", "here", "min", "5 %", "median", "95 %", "max"},
		Align: "lrrrrrr",
		Lines: []string{"How far these scatter is how little the published figures say about them."},
	}
	for _, k := range e.Knobs {
		ns := func(v float64) string { return nsText(v) }
		knobs.Rows = append(knobs.Rows, []string{k.Row, nsText(s.own(k.Row)), ns(k.Min), ns(k.P5), ns(k.Median), ns(k.P95), ns(k.Max)})
	}
	return []results.Table{rows, knobs}
}

// own is the experiment's own value of a parameter, in nanoseconds.
func (s *Setup) own(name string) float64 {
	i := slices.IndexFunc(s.Spec.Parameters, func(p param.Setting) bool { return p.Name == name })
	if i < 0 {
		return math.NaN()
	}
	v, err := param.ParseDuration(s.Spec.Parameters[i].Value)
	if err != nil {
		return math.NaN()
	}
	return v
}

func nsText(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.3g ms", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.3g us", v/1e3)
	}
	return fmt.Sprintf("%.3g ns", v)
}
