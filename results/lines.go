package results

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hostlock/machine"
)

// HottestLines is how many lines a result names.
const HottestLines = 5

// Line is a cache line that cores waited for, all lines of its name taken
// together: one a host, a target, a device or a command.
type Line struct {
	Name      string   `json:"line"`
	Fields    []string `json:"fields"`    // that share it
	Transfers int64    `json:"transfers"` // times that it came to a core from another, or from memory
	// Busy is the share of busy time that cores waited for it: until it had served
	// others, and until it had come. Spinning on a lock is not in it.
	Busy float64 `json:"busy_pct"`
}

// LinesOf names the lines that cost most, the first of all first. fields says which
// fields lie on lines of a name, nil where nobody has said so.
func LinesOf(a *machine.Account, fields func(name string) []string) []Line {
	type use struct {
		time  time.Duration
		moves int64
	}
	var busy time.Duration
	used := map[string]use{}
	for _, s := range a.Samples {
		if s.What != machine.Idle {
			busy += s.Time
		}
		if s.What != machine.LineWait && s.What != machine.LineTransfer {
			continue
		}
		u := used[s.Class]
		u.time += s.Time
		if s.What == machine.LineTransfer {
			u.moves += s.Count
		}
		used[s.Class] = u
	}
	lines := []Line{}
	for _, name := range sortedKeys(used) {
		u := used[name]
		l := Line{Name: name, Fields: fields(name), Transfers: u.moves}
		if l.Fields == nil {
			l.Fields = []string{name}
		}
		if busy > 0 {
			l.Busy = 100 * float64(u.time) / float64(busy)
		}
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Busy, a.Busy), cmp.Compare(b.Transfers, a.Transfers))
	})
	return lines[:min(len(lines), HottestLines)]
}

// linesSection is the table of the hottest lines.
func linesSection(r *Result) section {
	s := section{title: "Hottest cache lines, " + r.How(), head: []string{"line", "% of busy time", "transfers", "fields that share it"}, align: "lrrl"}
	for _, l := range r.Lines {
		s.rows = append(s.rows, []string{l.Name, number(l.Busy), strconv.FormatInt(l.Transfers, 10), strings.Join(l.Fields, ", ")})
	}
	return s
}
