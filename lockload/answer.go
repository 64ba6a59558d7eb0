package lockload

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Curve is one design under one kind over the cores.
type Curve struct {
	Design, Kind string
	Points       []Point // by cores
}

// Name is the design, with its kind where that is a choice.
func (c *Curve) Name() string {
	if c.Kind == "" {
		return c.Design
	}
	return c.Design + " " + c.Kind
}

// Curves groups points, in the order in which they come.
func Curves(points []Point) []Curve {
	var out []Curve
	for _, p := range points {
		i := slices.IndexFunc(out, func(c Curve) bool { return c.Design == p.Design && c.Kind == p.Kind })
		if i < 0 {
			i = len(out)
			out = append(out, Curve{Design: p.Design, Kind: p.Kind})
		}
		out[i].Points = append(out[i].Points, p)
	}
	return out
}

// Peak is the point of the highest rate.
func (c *Curve) Peak() *Point {
	best := &c.Points[0]
	for i := range c.Points {
		if c.Points[i].OpsPerS > best.OpsPerS {
			best = &c.Points[i]
		}
	}
	return best
}

// Knee is the first point from which more cores give less than half of what they
// would where nothing stood in their way; nil where none does.
func (c *Curve) Knee() *Point {
	for i := 1; i < len(c.Points); i++ {
		a, b := &c.Points[i-1], &c.Points[i]
		more := float64(b.Cores)/float64(a.Cores) - 1
		if more > 0 && b.OpsPerS < a.OpsPerS*(1+more/2) {
			return a
		}
	}
	return nil
}

// Last is the point of the most cores.
func (c *Curve) Last() *Point { return &c.Points[len(c.Points)-1] }

// falls is the share of its peak below which a curve is said to fall.
const falls = 0.9

// better is by how much a design must be faster to be worth a word.
const better = 1.05

// Answer says in a sentence or two what the points come to: the first curve's
// peak, knee and bound, and the best other one at the most cores.
func Answer(l *Load, points []Point) string {
	if len(points) == 0 {
		return "Nothing was measured."
	}
	curves := Curves(points)
	c := &curves[0]
	var b strings.Builder
	peak, last := c.Peak(), c.Last()
	fmt.Fprintf(&b, "%s, held %v", c.Name(), l.Hold)
	switch {
	case len(c.Points) == 1:
		fmt.Fprintf(&b, ", makes %s operations a second on %s", Rate(last.OpsPerS), cores(last.Cores))
	case last.OpsPerS < falls*peak.OpsPerS:
		fmt.Fprintf(&b, ", peaks at %s operations a second on %s and falls to %s on %d", Rate(peak.OpsPerS), cores(peak.Cores), Rate(last.OpsPerS), last.Cores)
	default:
		fmt.Fprintf(&b, ", reaches %s operations a second on %s", Rate(last.OpsPerS), cores(last.Cores))
	}
	b.WriteString("; " + c.why(l))
	if o := fastest(curves); o != nil && o != c && o.Last().OpsPerS > better*last.OpsPerS {
		fmt.Fprintf(&b, ". %s makes %s on %d, %s times as many", o.Name(), Rate(o.Last().OpsPerS), o.Last().Cores, Times2(o.Last().OpsPerS/last.OpsPerS))
	}
	return b.String() + "."
}

func fastest(curves []Curve) *Curve {
	var best *Curve
	for i := range curves {
		if best == nil || curves[i].Last().OpsPerS > best.Last().OpsPerS {
			best = &curves[i]
		}
	}
	return best
}

// why says what bounds the curve at its end, with the arithmetic.
func (c *Curve) why(l *Load) string {
	last := c.Last()
	switch last.Bound {
	case BoundLoad:
		return fmt.Sprintf("all of the %s that arrive are served", Rate(l.Rate))
	case BoundCores:
		return fmt.Sprintf("the cores bound it: %s, %v held and %v between", cores(last.Cores), l.Hold.Avg(), l.Think.Avg())
	}
	text := ""
	if k := c.Knee(); k != nil {
		text = fmt.Sprintf("beyond %s ", cores(k.Cores))
	}
	hold := l.Hold.Avg()
	text += fmt.Sprintf("the lock bounds it: %.0f ns an operation", last.NsPerOp)
	if c.Design == "one" && last.NsPerOp > float64(hold) {
		text += fmt.Sprintf(", %.0f of them hold and %.0f hand-off", float64(hold), last.NsPerOp-float64(hold))
	}
	return text
}

func cores(n int) string {
	if n == 1 {
		return "1 core"
	}
	return fmt.Sprintf("%d cores", n)
}

// Rate is a number of operations a second, in K or M, three digits.
func Rate(v float64) string {
	switch {
	case v >= 999.5e3:
		return digits3(v/1e6) + " M"
	case v >= 999.5:
		return digits3(v/1e3) + " K"
	}
	return digits3(v)
}

// Times2 is a ratio of two or three digits.
func Times2(v float64) string { return digits3(v) }

func digits3(v float64) string {
	switch {
	case math.Abs(v) >= 99.95:
		return fmt.Sprintf("%.0f", v)
	case math.Abs(v) >= 9.995:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// Ns is a time in the unit that fits it.
func Ns(ns float64) string {
	d := time.Duration(ns)
	switch {
	case d >= time.Millisecond:
		return digits3(ns/1e6) + " ms"
	case d >= time.Microsecond:
		return digits3(ns/1e3) + " us"
	}
	return fmt.Sprintf("%.0f ns", ns)
}
