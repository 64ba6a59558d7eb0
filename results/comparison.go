package results

import (
	"fmt"
)

// Comparison is one run beside what was published.
type Comparison struct {
	Source string `json:"source"`
	OK     bool   `json:"ok"` // every row lies within its band
	Rows   []Row  `json:"rows"`

	table *Published // that the rows are of; nil where the comparison was read from a file
}

// Row is one published figure and its measured counterpart.
type Row struct {
	Name      string  `json:"name"`      // case, dot, figure with its unit: "before.scsi_dispatch_cmd_pct"
	Published float64 `json:"published"` // in the unit that the name ends in
	Measured  float64 `json:"measured"`  // in the same
	ErrorPct  float64 `json:"error_pct"` // of the published figure, signed
	Band      float64 `json:"band"`      // how far measured may lie from published, in the row's unit
	UsedToFit bool    `json:"used_to_fit"`
}

// Within reports whether the row meets its band.
func (r Row) Within() bool {
	d := r.Measured - r.Published
	// A hair of slack, so that a band's own edge is inside whatever the
	// rounding of a binary fraction.
	return d <= r.Band*(1+1e-9) && -d <= r.Band*(1+1e-9)
}

// Reproduction is one experiment's published table beside what the runs of
// its cases gave; its JSON is an element of `lab reproduce --format json`.
type Reproduction struct {
	Name   string   `json:"name"`
	Source string   `json:"source"`
	OK     bool     `json:"ok"`     // every row lies within its band
	Fitted []string `json:"fitted"` // names of fitted parameters
	Rows   []Row    `json:"rows"`

	Cases []CaseRun `json:"cases,omitempty"` // all runs, where the workload moves transfers

	Partial bool `json:"partial,omitempty"` // interrupted: rows are missing, or a window is shorter

	Parameters []Parameter `json:"-"`
	How        string      `json:"-"` // simulated or measured
	Seed       uint64      `json:"-"`
	Warnings   []string    `json:"-"`
}

// reproductionSections is what `lab reproduce` prints for people.
func reproductionSections(reps []Reproduction) []section {
	var out []section
	for _, rep := range reps {
		out = append(out, reproductionReport(rep.rounded())...)
	}
	return out
}

func reproductionReport(rep Reproduction) []section {
	p, err := LookupPublished(rep.Name)
	if err != nil {
		// Another table than the built-in ones: what the rows say is all.
		p = &Published{Name: rep.Name}
	}
	head := section{title: rep.Name}
	if p.Title != "" {
		head.title += ": " + p.Title
		head.lines = []string{"test: " + p.Test, "change: " + p.Change}
	}
	head.lines = append(head.lines, "source: "+rep.Source, fmt.Sprintf("here: %s, seed %d", rep.How, rep.Seed))
	if rep.Partial {
		head.lines = append(head.lines, "PARTIAL: interrupted; what was measured until then")
	}
	table := publishedSection("", rep.Rows, rep.How)
	table.lines = []string{p.verdict(rep.Rows)}
	if n := p.Independent(); n > 0 {
		table.lines = append(table.lines, fmt.Sprintf("%d of the %d rows are independent, the others follow from them; %d parameters are fitted.", n, len(p.Figures), len(rep.Fitted)))
	}
	out := []section{head, table, naiveSection(p, rep), guessSection(p, rep), caseSection(rep)}
	out = append(out, section{title: "Conflicts", lines: p.Conflicts, list: true})
	out = append(out, parameterSections(rep.Parameters)[0])
	return append(out,
		section{title: "Not given by the source; ours to choose", lines: p.NotGiven, list: true},
		section{title: "Beside the figures", lines: p.Notes, list: true},
		section{title: "Warnings", lines: rep.Warnings, list: true},
	)
}

func naiveSection(p *Published, rep Reproduction) section {
	naive := p.EqualShares(rep.Rows)
	s := section{
		title: "The naive guess beside ours: the published sum in equal shares",
		head:  []string{"figure", "published", rep.How, "equal shares", "nearer"},
		align: "lrrrl",
	}
	if len(naive) == 0 {
		return section{}
	}
	for _, n := range naive {
		s.rows = append(s.rows, []string{n.Row, exact(n.Published), number(n.Ours), number(n.Equal), n.Nearer})
	}
	s.lines = []string{NaiveVerdict(naive)}
	return s
}
