package results

import (
	"fmt"
	"math"
)

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
