// Package plot draws sweeps: rate and contention against cores, or against
// another number that varies, one line a strategy, with theory over them.
//
// Equal sweeps give equal bytes: nothing of the time or the place of drawing
// gets into a file.
package plot

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"hostlock/results"
)

// maxLines is how many lines can still be told apart, by colour and by mark.
const maxLines = 8

// Chart is a sweep as it is drawn.
type Chart struct {
	title   string
	xLabel  string
	bytes   bool // the rate is 10^6 bytes a second, not IOPS in thousands
	log     bool // x axis
	linear  bool // neither axis is logarithmic, whatever the numbers span
	xs      []float64
	lines   []line
	caption []string

	ceilings []ceiling // of the rate
}

// line is one strategy, with what else tells it from the others.
type line struct {
	name              string
	rate, share       []xy // simulated
	theoryRate, theor []xy // empty where none applies
}

type xy struct{ x, y float64 }

// Linear gives both axes equal steps, where numbers that span much would have
// had a logarithmic one: a collapse looks as steep as it is.
func (c *Chart) Linear() { c.log, c.linear = false, true }

// New lays out a sweep. Its error is one line that says what would be legal: a
// sweep in which something varies that can be an axis, in few enough lines.
func New(s *results.Sweep) (*Chart, error) {
	if len(s.Points) == 0 {
		return nil, errors.New("a chart of no points; legal: a sweep of which something is done")
	}
	x, err := axisOf(&s.Definition)
	if err != nil {
		return nil, err
	}
	rows := s.Rows()
	c := &Chart{title: title(s), xLabel: x.label, bytes: sizesDiffer(rows)}
	at := map[string]int{}
	for i := range rows {
		r := &rows[i]
		v := x.value(&r.SweepPoint)
		n := x.lineName(&r.SweepPoint)
		k, ok := at[n]
		if !ok {
			k = len(c.lines)
			at[n] = k
			c.lines = append(c.lines, line{name: n})
		}
		l := &c.lines[k]
		l.rate = append(l.rate, xy{v, c.rateOf(r)})
		l.share = append(l.share, xy{v, r.Contention})
		if t := r.Theory; t != nil && s.WithTheory {
			if !c.bytes {
				l.theoryRate = append(l.theoryRate, xy{v, t.IOPS / 1000})
			}
			l.theor = append(l.theor, xy{v, t.Contention})
		}
		if !slices.Contains(c.xs, v) {
			c.xs = append(c.xs, v)
		}
	}
	if err := checkLines(len(c.lines)); err != nil {
		return nil, err
	}
	slices.Sort(c.xs)
	for i := range c.lines {
		l := &c.lines[i]
		for _, points := range [][]xy{l.rate, l.share, l.theoryRate, l.theor} {
			slices.SortStableFunc(points, func(a, b xy) int { return int(math.Copysign(1, a.x-b.x)) })
		}
	}
	// From a factor of eight on, equal steps would crowd the small numbers, but
	// for a sweep that went in equal steps itself.
	c.log = c.xs[0] > 0 && c.xs[len(c.xs)-1] >= 8*c.xs[0] && !evenly(c.xs)
	c.ceilings = c.ceilingsOf(rows, x)
	c.caption = captions(s, rows)
	return c, nil
}

// evenly reports whether there are many numbers in equal steps, but for the
// last, which a range ends with whatever its step.
func evenly(xs []float64) bool {
	if len(xs) < 6 {
		return false
	}
	step := xs[1] - xs[0]
	for i := 2; i < len(xs)-1; i++ {
		if math.Abs(xs[i]-xs[i-1]-step) > 1e-6*step {
			return false
		}
	}
	return true
}

// sizesDiffer reports whether commands carry different amounts at different
// points. Then their number says nothing, and bytes are drawn.
func sizesDiffer(rows []results.SweepRow) bool {
	size := newSpan()
	for _, r := range rows {
		if r.IOPS > 0 {
			size = size.with(r.ThroughputMB / r.IOPS)
		}
	}
	return size.lo > 0 && size.hi > 1.05*size.lo && !math.IsInf(size.lo, 0)
}

func (c *Chart) rateOf(r *results.SweepRow) float64 {
	if c.bytes {
		return r.ThroughputMB
	}
	return r.IOPS / 1000
}

func (c *Chart) rateLabel() string {
	if c.bytes {
		return "MB/s"
	}
	return "IOPS, thousands"
}

func title(s *results.Sweep) string {
	d := s.Definition
	t := d.Experiment
	if len(d.Cores) == 1 {
		t += ", " + results.Count(d.Cores[0], "core")
	}
	if d.Weak {
		t += ", load growing with the cores"
	}
	var set []string
	for _, kv := range d.Set {
		if kv.Name == "hbas" && kv.Value == "1" {
			set = append(set, "all on one HBA")
			continue
		}
		set = append(set, kv.Name+"="+kv.Value)
	}
	if len(set) > 0 {
		t += ", " + strings.Join(set, ", ")
	}
	return t
}

// captions say where the lines come from.
func captions(s *results.Sweep, rows []results.SweepRow) []string {
	seeds := "one seed"
	if n := len(s.Definition.Seeds); n > 1 {
		seeds = fmt.Sprintf("means over %d seeds", n)
	}
	out := []string{fmt.Sprintf("Simulated: virtual time, %s. Contention: spinning on any lock, failed retries, waiting for a cache line in use.", seeds)}
	if s.Missing > 0 {
		out[0] += fmt.Sprintf(" PARTIAL: %d of %s missing.", s.Missing, results.Count(s.Missing+len(s.Points), "point"))
	}
	section := map[string]span{}
	var names, locks []string
	think, refill := newSpan(), newSpan()
	for _, r := range rows {
		if r.Theory == nil || !s.WithTheory {
			continue
		}
		if _, ok := section[r.Strategy]; !ok {
			names = append(names, r.Strategy)
			section[r.Strategy] = newSpan()
		}
		if !slices.Contains(locks, r.Theory.Lock) {
			locks = append(locks, r.Theory.Lock)
		}
		section[r.Strategy] = section[r.Strategy].with(r.Theory.Section)
		think, refill = think.with(r.Theory.Think), refill.with(r.Theory.Refill)
	}
	if len(names) == 0 {
		return out
	}
	var parts []string
	for _, n := range names {
		parts = append(parts, section[n].String()+" µs ("+n+")")
	}
	return append(out, fmt.Sprintf("Theory, from parameters alone: %s-lock chain (Boyd-Wickizer et al., OLS 2012), section s = %s, think time a = %s µs, refill c = %s ns.",
		strings.Join(locks, "-, "), strings.Join(parts, ", "), think, refill), "Theory is no check of the simulation: "+results.TheoryLimits+".")
}

// span is the least and the greatest of some numbers.
type span struct{ lo, hi float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s span) with(v float64) span { return span{min(s.lo, v), max(s.hi, v)} }

func (s span) String() string {
	lo, hi := short(s.lo), short(s.hi)
	if lo == hi {
		return lo
	}
	return lo + " to " + hi
}

// short is a number in three digits.
func short(v float64) string {
	if math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
