package record

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// JSON prints the record as one object.
func (r *Record) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// shortList is how many locks fit a screen beside what is said of them.
const shortList = 8

// Text prints the answer, the locks in the order of what they matter, and what
// their holds are made of. Without full the list is cut where a screen ends.
func (r *Record) Text(w io.Writer, full bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Words)
	for _, s := range r.Stretch {
		fmt.Fprintf(&b, "%s\n", s.words())
	}
	rows := r.Locks
	if !full && len(rows) > shortList {
		rows = rows[:shortList]
	}
	if len(rows) > 0 {
		fmt.Fprintln(&b)
		t := table.NewWriter()
		t.SetStyle(table.StyleLight)
		t.Style().Options = table.OptionsNoBordersAndSeparators
		t.Style().Format.Header = text.FormatDefault
		t.AppendHeader(table.Row{"held %", "lock taken at", "a second", "contended %", "hold mean", "hold p99", "wait mean", "locks"})
		for _, l := range rows {
			t.AppendRow(table.Row{held(l), label(l), rate(l.Acquisitions, r.Seconds), share(l.Contended, l.Acquisitions), mean(l.Hold), p99(l.Hold), mean(l.Wait), l.Instances})
		}
		fmt.Fprintln(&b, t.Render())
		notes(&b, rows, full)
	}
	if n := len(r.Locks) - len(rows); n > 0 {
		fmt.Fprintf(&b, "%d more sites: --full lists them.\n", n)
	}
	fmt.Fprintf(&b, "\n%s\n", r.frame())
	for _, u := range r.Unknown {
		fmt.Fprintf(&b, "Not known: %s.\n", u)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// notes prints what holds are made of, for the first locks of the list.
func notes(b *strings.Builder, rows []Lock, full bool) {
	const screen = 6
	n := 0
	for _, l := range rows {
		for _, note := range l.Notes {
			if n++; n > screen && !full {
				return
			}
			fmt.Fprintf(b, "- %s: %s.\n", l.Site, note)
		}
	}
}

func (r *Record) frame() string {
	line := fmt.Sprintf("Measured: %.3g s, GOMAXPROCS=%d", r.Seconds, r.Procs)
	if r.Source != "recorded" {
		line = fmt.Sprintf("Read from a %s: %.3g s", r.Source, r.Seconds)
	}
	f := r.Frame
	for _, p := range []struct {
		name string
		v    *float64
	}{{"busy", f.BusyPct}, {"collector", f.GCPct}, {"throttled", f.ThrottledPct}, {"steal", f.StealPct}} {
		if p.v != nil {
			line += fmt.Sprintf(", %s %s %%", p.name, pct(*p.v))
		}
	}
	if f.QuotaCPUs != nil {
		line += fmt.Sprintf(", quota %.2g CPUs", *f.QuotaCPUs)
	}
	line += "."
	if r.OverheadPct != nil {
		how := "acquisitions times their cost, measured in that process on its own; --pairs N measures the command"
		if r.OverheadHow == "measured" {
			how = "measured against plain runs"
		}
		line += fmt.Sprintf(" Overhead: %s %% (%s).", pct(*r.OverheadPct), how)
	}
	return line
}

// label is a site as the table has it: the import path is cut to its last
// element, and type arguments, which have paths too, are left out.
func label(l Lock) string {
	name := untyped(l.Site)
	function, _, _ := strings.Cut(name, " ")
	name = name[strings.LastIndexByte(function, '/')+1:]
	if l.Via != "" {
		via := untyped(l.Via)
		name += " (" + via[strings.LastIndexByte(via, '/')+1:] + ")"
	}
	if l.Reads {
		name += " read"
	}
	return name
}

// untyped is a name without what stands in brackets.
func untyped(name string) string {
	var b strings.Builder
	depth := 0
	for _, c := range name {
		if c == ']' && depth > 0 {
			depth--
		}
		if depth == 0 {
			b.WriteRune(c)
		}
		if c == '[' {
			depth++
		}
	}
	return b.String()
}

// held is the utilisation of the hottest lock, in percent.
func held(l Lock) string {
	switch {
	case l.HottestUtilizationPct == nil:
		return ""
	case l.HottestAtLeast:
		return fmt.Sprintf(">%.1f", *l.HottestUtilizationPct)
	}
	return fmt.Sprintf("%.1f", *l.HottestUtilizationPct)
}

// pct prints a percentage with two digits, and no exponent.
func pct(v float64) string {
	if v >= 99.5 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

func rate(n uint64, seconds float64) string {
	if seconds <= 0 {
		return fmt.Sprint(n)
	}
	v := float64(n) / seconds
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.3g M", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.3g K", v/1e3)
	}
	return fmt.Sprintf("%.4g", v)
}

func share(n, of uint64) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*float64(n)/float64(of))
}

func mean(t *Times) string {
	if t == nil {
		return ""
	}
	return ns(t.Mean)
}

func p99(t *Times) string {
	if t == nil || t.P99 == 0 {
		return ""
	}
	return ns(t.P99)
}

// roundsDiffer is how far the rounds' ratios may lie apart before they say nothing:
// a slope that matters is larger, with a hold that is a fifth longer or more.
const roundsDiffer = 0.2

// words says what a longer hold did to the rate.
func (s Stretch) words() string {
	own, control := 100*(s.RateRatio-1), 100*(s.ControlRatio-1)
	longer := 100 * (s.Factor - 1)
	line := fmt.Sprintf("A hold at %s that is %.0f %% longer changes the rate (%s) by %+.1f %%, the same time outside the hold by %+.1f %% (measured, %d rounds, %+.1f to %+.1f %%)",
		s.Site, longer, s.Progress, own, control, s.Rounds, 100*(s.Low-1), 100*(s.High-1))
	switch {
	case s.AddedPct < noteMatters:
		// The most that it could change, whatever the rounds say.
		return line + fmt.Sprintf(": the longer holds add %s %% of the time; this lock is not your problem.", pct(s.AddedPct))
	case s.High-s.Low > roundsDiffer && math.Abs(own) <= 100*(s.High-s.Low):
		return line + ": the rounds differ too much to tell; more --rounds, or a quieter computer."
	case s.High >= 1 || math.Abs(own) <= 100*(s.High-s.Low):
		return line + ": no slope; this lock is not your problem."
	case s.ContendedPct < noteContends:
		return line + ": the time counts, wherever it is spent; nobody waits for the lock."
	case s.High < s.ControlLow: // every round of the one is worse than every one of the other
		return line + ": this lock bounds the rate."
	}
	return line + ": the time counts, wherever it is spent; the lock adds nothing to it."
}
