package results

import (
	"fmt"
	"math"
)

// Naive is a guess that needs no model, beside ours: that a published sum
// falls into equal parts.
type Naive struct {
	Row       string
	Published float64
	Ours      float64
	Equal     float64 // the published sum over the number of its parts
	InBand    bool    // the guess meets the row's band, too
	Predicted bool    // no fitted value was chosen by the row
	Nearer    string  // ours, equal, or neither where seeds scatter as far as that
}

// EqualShares holds the naive guess against measured rows. The guess is told
// the published sum, which the model has to find for itself.
func (p *Published) EqualShares(rows []Row) []Naive {
	parts := map[string]int{}
	for _, f := range p.Figures {
		if f.PartOf != "" {
			parts[f.PartOf]++
		}
	}
	var out []Naive
	for _, r := range rows {
		f, ok := p.Figure(r.Name)
		if !ok || f.PartOf == "" {
			continue
		}
		sum, ok := p.Figure(f.PartOf)
		if !ok {
			continue
		}
		n := Naive{Row: r.Name, Published: f.Value, Ours: r.Measured, Equal: sum.Value / float64(parts[f.PartOf]), Predicted: !r.UsedToFit, Nearer: "neither"}
		r.Measured = n.Equal
		n.InBand = r.Within()
		margin := max(f.Scatter, 1e-9)
		switch ours, equal := math.Abs(n.Ours-n.Published), math.Abs(n.Equal-n.Published); {
		case ours < equal-margin:
			n.Nearer = "ours"
		case equal < ours-margin:
			n.Nearer = "equal"
		}
		out = append(out, n)
	}
	return out
}

// NaiveInBands says how much of what a verdict counts the naive guess would
// have met: it is empty where the table has no parts.
func NaiveInBands(ns []Naive) string {
	if len(ns) == 0 {
		return ""
	}
	within, predicted, predictedWithin := 0, 0, 0
	for _, n := range ns {
		if n.InBand {
			within++
		}
		if n.Predicted {
			predicted++
			if n.InBand {
				predictedWithin++
			}
		}
	}
	return fmt.Sprintf("Equal shares of the published sums meet the same bands in %d of the %d rows by function, %d of the %d predicted ones.", within, len(ns), predictedWithin, predicted)
}

// NaiveVerdict says what may be claimed of the split by function.
func NaiveVerdict(ns []Naive) string {
	ours := 0
	for _, n := range ns {
		if n.Nearer == "ours" {
			ours++
		}
	}
	s := fmt.Sprintf("Ours is nearer than equal shares, by more than seeds scatter, for %d of %d functions", ours, len(ns))
	if 2*ours <= len(ns) {
		return s + ": by function, nothing is claimed."
	}
	return s + "; only those are claimed."
}

// guessSection holds the table's own naive guess against the rows.
func guessSection(p *Published, rep Reproduction) section {
	if p.Guess == "" || len(rep.Rows) == 0 {
		return section{}
	}
	s := section{
		title: "The naive guess beside ours: " + p.Guess,
		head:  []string{"figure", "published", rep.How, "guess", "nearer"},
		align: "lrrrl",
	}
	ours := 0
	for _, r := range rep.Rows {
		f, ok := p.Figure(r.Name)
		if !ok {
			continue
		}
		nearer := "both"
		switch we, they := math.Abs(r.Measured-f.Value), math.Abs(f.Guess-f.Value); {
		case we < they:
			nearer = "ours"
			ours++
		case they < we:
			nearer = "guess"
		}
		s.rows = append(s.rows, []string{r.Name, exact(f.Value), number(r.Measured), number(f.Guess), nearer})
	}
	s.lines = []string{fmt.Sprintf("Ours is nearer for %d of %d rows; only those are claimed. A row that the guess was told is its own.", ours, len(s.rows))}
	return s
}
