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
	Nearer    string  // ours, equal or both
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
		n := Naive{Row: r.Name, Published: f.Value, Ours: r.Measured, Equal: sum.Value / float64(parts[f.PartOf]), Nearer: "both"}
		switch ours, equal := math.Abs(n.Ours-n.Published), math.Abs(n.Equal-n.Published); {
		case ours < equal-1e-9:
			n.Nearer = "ours"
		case equal < ours-1e-9:
			n.Nearer = "equal"
		}
		out = append(out, n)
	}
	return out
}

// NaiveVerdict says what may be claimed of the split by function.
func NaiveVerdict(ns []Naive) string {
	ours := 0
	for _, n := range ns {
		if n.Nearer == "ours" {
			ours++
		}
	}
	s := fmt.Sprintf("Ours is nearer than equal shares for %d of %d functions", ours, len(ns))
	if 2*ours <= len(ns) {
		return s + ": by function, nothing is claimed."
	}
	return s + "; only those are claimed."
}
