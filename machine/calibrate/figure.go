package calibrate

import (
	"fmt"
	"math"
	"sort"
)

// Figure is one measured cost in nanoseconds.
type Figure struct {
	Name        string  `json:"name"`
	Median      float64 `json:"median_ns"`
	Low         float64 `json:"q1_ns"` // first quartile of the repetitions
	High        float64 `json:"q3_ns"` // third
	Repetitions int     `json:"repetitions"`
}

// newFigure sums repetitions up; it sorts them.
func newFigure(name string, ns []float64) Figure {
	sort.Float64s(ns)
	return Figure{Name: name, Median: quantile(ns, 0.5), Low: quantile(ns, 0.25), High: quantile(ns, 0.75), Repetitions: len(ns)}
}

// quantile of sorted values, linear between neighbours (R's type 7); 0 of none.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	below := int(math.Floor(at))
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}

// Spread is the distance of the quartiles, as a share of the median.
func (f Figure) Spread() float64 {
	if f.Median == 0 {
		return 0
	}
	return (f.High - f.Low) / math.Abs(f.Median)
}

// Above these spreads a figure is fair, and unsteady: a sensitivity table
// moves parameters by 5 and by 25 %, and a figure is to be known better than
// what it is moved by.
const (
	steadySpread = 0.05
	fairSpread   = 0.25
)

// Steadiness is one word: steady, fair, unsteady; or not measured.
func (f Figure) Steadiness() string {
	switch s := f.Spread(); {
	case f.Repetitions == 0:
		return "not measured"
	case s <= steadySpread:
		return "steady"
	case s <= fairSpread:
		return "fair"
	default:
		return "unsteady"
	}
}

func (f Figure) String() string {
	return fmt.Sprintf("%s %.1f ns (quartiles %.1f to %.1f of %d, %s)", f.Name, f.Median, f.Low, f.High, f.Repetitions, f.Steadiness())
}
