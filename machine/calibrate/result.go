package calibrate

import (
	"fmt"
	"math"
	"sort"

	"github.com/aclements/go-moremath/stats"

	"hostlock/machine/computer"
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

// quantile of values; 0 of none.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return stats.Sample{Xs: v}.Quantile(q)
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

// Unsteady is the [Figure.Steadiness] of one that is not to be relied on.
const Unsteady = "unsteady"

// once is what stands in the place of the steadiness of a single repetition.
const once = "of one repetition"

// Steadiness is one word: steady, fair, unsteady; or not measured.
func (f Figure) Steadiness() string {
	switch s := f.Spread(); {
	case f.Repetitions == 0:
		return "not measured"
	case f.Repetitions == 1:
		return once
	case s <= steadySpread:
		return "steady"
	case s <= fairSpread:
		return "fair"
	default:
		return Unsteady
	}
}

func (f Figure) String() string {
	return fmt.Sprintf("%s %.1f ns (quartiles %.1f to %.1f of %d, %s)", f.Name, f.Median, f.Low, f.High, f.Repetitions, f.Steadiness())
}

// Result is what Measure found.
type Result struct {
	Cores  int  `json:"cores"`
	Pinned bool `json:"pinned"` // the pairs' threads were bound to their processors

	Clock        Figure `json:"clock"`         // one reading of the clock
	Lock         Figure `json:"lock"`          // lock and unlock of a free, cached machine.SpinLock
	Mutex        Figure `json:"mutex"`         // the same of kind Mutex
	Add          Figure `json:"add"`           // atomic add on a cached line
	ContendedAdd Figure `json:"contended_add"` // wall time per add, all cores on one line
	Switch       Figure `json:"switch"`        // waking a thread and switching to it
	Transfer     []Pair `json:"transfer"`      // a line's way from core to core
	// HandOff is from a release to the next acquisition, by the number of
	// waiters, of a bare test-and-set lock. LiveHandOff is of the live
	// machine's lock, whose waiters read the clock and count while they
	// already hold it.
	HandOff     []HandOff `json:"hand_off"`
	LiveHandOff []HandOff `json:"live_hand_off"`
	// How late a timer of one millisecond fires: with idle pollers on idle
	// cores, without them, and with them on busy cores.
	TimerPolled Figure `json:"timer_polled"`
	TimerIdle   Figure `json:"timer_idle"`
	TimerBusy   Figure `json:"timer_busy"`

	Burn       float64             `json:"burn_per_us"` // iterations of the burn loop
	Neighbours computer.Neighbours `json:"neighbours"`
	Remarks    []string            `json:"remarks"`
}

// Pair is one way of a line between two processors, by the system's numbers;
// -1 where the threads could not be bound.
type Pair struct {
	A int `json:"a"`
	B int `json:"b"`
	Figure
}

// HandOff is the hand-off with a number of waiters.
type HandOff struct {
	Waiters int `json:"waiters"`
	Figure
}

// TransferOverall sums the pairs' medians up.
func (r *Result) TransferOverall() Figure {
	var medians []float64
	for _, p := range r.Transfer {
		if p.Repetitions > 0 {
			medians = append(medians, p.Median)
		}
	}
	return newFigure("line transfer, over all pairs", medians)
}

// Figures lists all that was measured, in the order of a report.
func (r *Result) Figures() []Figure {
	out := []Figure{r.Clock, r.Lock, r.Mutex, r.Add, r.ContendedAdd, r.Switch}
	for _, p := range r.Transfer {
		out = append(out, p.Figure)
	}
	for _, h := range append(append([]HandOff(nil), r.HandOff...), r.LiveHandOff...) {
		out = append(out, h.Figure)
	}
	return append(out, r.TimerPolled, r.TimerIdle, r.TimerBusy)
}

// remark says what the reader should know before using the figures.
func (r *Result) remark() {
	if !r.Pinned {
		r.Remarks = append(r.Remarks, "threads could not be bound to processors: line transfers are between whatever two the system chose")
	}
	if w := r.Neighbours.Warning(); w != "" {
		r.Remarks = append(r.Remarks, w)
	}
	counts := map[string]int{}
	worst := Figure{}
	for _, f := range r.Figures() {
		counts[f.Steadiness()]++
		if f.Spread() > worst.Spread() {
			worst = f
		}
	}
	line := fmt.Sprintf("%d figures steady (quartiles within %.0f %% of the median), %d fair (%.0f %%), %d unsteady",
		counts["steady"], 100*steadySpread, counts["fair"], 100*fairSpread, counts[Unsteady])
	if n := counts[once]; n > 0 {
		line += fmt.Sprintf(", %d of one repetition, which says nothing of how steady they are", n)
	}
	if worst.Spread() > steadySpread {
		line += fmt.Sprintf("; the worst: %s", worst)
	}
	r.Remarks = append(r.Remarks, line)
}
