package results

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// section is one part of a report: a title, a table, and lines below it. Text
// and markdown print the same sections.
type section struct {
	title string
	head  []string
	align string // a letter a column: l or r
	rows  [][]string
	foot  []string // a last row apart from the others
	lines []string
	list  bool // the lines are items
	code  bool // the lines are a command to copy
	plain bool // the table has no rule below its head
	flush bool // the lines are not indented
	wrap  bool // long lines are broken
}

func (s section) empty() bool { return len(s.rows) == 0 && len(s.lines) == 0 }

// plainStyle has a rule below the head and nothing else that a mail, a
// terminal without Unicode or a diff would stumble over.
var plainStyle = table.Style{
	Name: "plain",
	Box: table.BoxStyle{
		MiddleHorizontal: "-", MiddleSeparator: "-", MiddleVertical: " ",
		PaddingLeft: "", PaddingRight: " ", LeftSeparator: "", RightSeparator: "",
	},
	Format:  table.FormatOptions{Header: text.FormatDefault, Footer: text.FormatDefault, Row: text.FormatDefault},
	Options: table.Options{SeparateHeader: true, SeparateColumns: true, SeparateFooter: true},
}

func (s section) table() table.Writer {
	t := table.NewWriter()
	t.SetStyle(plainStyle)
	if s.plain {
		t.Style().Options.SeparateHeader = false
	}
	t.AppendHeader(cells(s.head))
	for _, r := range s.rows {
		t.AppendRow(cells(r))
	}
	if s.foot != nil {
		t.AppendFooter(cells(s.foot))
	}
	var columns []table.ColumnConfig
	for i, a := range s.align {
		align := text.AlignLeft
		if a == 'r' {
			align = text.AlignRight
		}
		columns = append(columns, table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align, AlignFooter: align})
	}
	t.SetColumnConfigs(columns)
	return t
}

func cells(in []string) table.Row {
	out := make(table.Row, len(in))
	for i, c := range in {
		out[i] = c
	}
	return out
}

// fitted are the rows with the last column, where that is words, broken so that all of
// the table fits.
func (s section) fitted() [][]string {
	last := len(s.head) - 1
	if last < 0 || s.align[last] != 'l' {
		return s.rows
	}
	room := Width - len(indent(s))
	for c := range last {
		widest := utf8.RuneCountInString(s.head[c])
		for _, r := range s.rows {
			widest = max(widest, utf8.RuneCountInString(r[c]))
		}
		room -= widest + 2
	}
	const least = 20 // or no word would fit
	if room < least {
		return s.rows
	}
	out := make([][]string, len(s.rows))
	for i, r := range s.rows {
		out[i] = slices.Clone(r)
		if len(r) > last {
			out[i][last] = strings.Join(wrapped(r[last], room), "\n")
		}
	}
	return out
}

func indent(s section) string { return yes(s.flush || s.plain, "", "  ") }

// printText prints sections for a terminal or a mail.
func printText(w io.Writer, sections []section) error {
	var b bytes.Buffer
	for _, s := range sections {
		if s.empty() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if s.title != "" {
			b.WriteString(s.title + "\n")
		}
		if len(s.rows) > 0 {
			if s.wrap {
				s.rows = s.fitted()
			}
			for line := range strings.Lines(s.table().Render()) {
				b.WriteString(indent(s) + strings.TrimRight(line, " \n") + "\n")
			}
		}
		for _, l := range s.lines {
			first, next := indent(s), indent(s)
			switch {
			case s.list:
				first, next = first+"- ", next+"  "
			case s.code:
				first += "  "
			}
			lines := []string{l}
			if s.wrap {
				lines = wrapped(l, Width-len(first))
			}
			for i, l := range lines {
				b.WriteString(yes(i == 0, first, next) + l + "\n")
			}
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// printMarkdown prints sections for a page.
func printMarkdown(w io.Writer, sections []section) error {
	var b bytes.Buffer
	for i, s := range sections {
		if s.empty() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		switch {
		case s.title != "" && i == 0:
			b.WriteString("# " + s.title + "\n\n")
		case s.title != "":
			b.WriteString("## " + s.title + "\n\n")
		}
		if len(s.rows) > 0 {
			b.WriteString(s.table().RenderMarkdown() + "\n")
			if len(s.lines) > 0 {
				b.WriteByte('\n')
			}
		}
		for j, l := range s.lines {
			switch {
			case s.list:
				b.WriteString("- " + l + "\n")
			case s.code:
				b.WriteString("    " + l + "\n")
			default:
				if j > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(l + "\n")
			}
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

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
