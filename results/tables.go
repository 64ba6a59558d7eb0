package results

import (
	"fmt"
	"io"
)

// Table is one table of a report that other packages put together, with lines
// below it.
type Table struct {
	Title string
	Head  []string
	Align string // a letter a column: l or r
	Rows  [][]string
	Lines []string
}

// WriteTables prints tables one below the other, as text or as markdown.
func WriteTables(w io.Writer, markdown bool, tables ...Table) error {
	sections := make([]section, len(tables))
	for i, t := range tables {
		sections[i] = section{title: t.Title, head: t.Head, align: t.Align, rows: t.Rows, lines: t.Lines}
	}
	if markdown {
		return printMarkdown(w, sections)
	}
	return printText(w, sections)
}

// Number is a figure as reports print it.
func Number(v float64) string { return number(v) }

// Headline is the short form of a reproduction: the published rows beside
// ours, and the verdict.
func (rep Reproduction) Headline() Table {
	s := publishedSection("", rep.rounded().Rows, rep.How)
	p, err := LookupPublished(rep.Name)
	if err != nil {
		p = &Published{Name: rep.Name} // a table of another program's: its rows are all there is
	}
	return Table{Title: rep.Source, Head: s.head, Align: s.align, Rows: s.rows, Lines: []string{p.verdict(rep.Rows)}}
}

// Strategies puts runs of one load under several strategies beside each
// other, the first one being what the others are compared with.
func Strategies(title string, runs []*Result) Table {
	t := Table{
		Title: title,
		Head:  []string{"strategy", "IOPS", "against first", "host lock %", "contention %", "busy %", "p50 us", "p99 us", "lost"},
		Align: "lrrrrrrrr",
	}
	for i, r := range runs {
		against := ""
		if i > 0 && runs[0].IOPS > 0 {
			against = fmt.Sprintf("%+.1f %%", 100*(r.IOPS/runs[0].IOPS-1))
		}
		t.Rows = append(t.Rows, []string{
			r.Experiment.Strategy, fmt.Sprintf("%.0f", r.IOPS), against,
			fmt.Sprintf("%.2f", r.CPU.HostLock), fmt.Sprintf("%.2f", r.CPU.Contention), fmt.Sprintf("%.1f", r.CPU.Busy),
			fmt.Sprintf("%.0f", r.Latency.P50), fmt.Sprintf("%.0f", r.Latency.P99), fmt.Sprint(r.Commands.Lost),
		})
	}
	return t
}
