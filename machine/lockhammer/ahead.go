package lockhammer

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"hostlock/machine/sim"
)

// Range is what the model says of a row from the host's rows of one and two
// threads alone, with what those do not tell taken from publications.
type Range struct {
	Row
	Low, High float64
}

// Holds reports whether the row lies in its range.
func (r Range) Holds() bool { return r.Median >= r.Low && r.Median <= r.High }

// What [Ahead] draws, and what it makes of the draws.
const (
	draws = 40
	// middle is the share of the draws that a range holds; the rest lies outside
	// on both sides alike.
	middle = 0.9
	// closed is how far the closed form of a lock may be from its line's answer to
	// each spin (TestClosedForm in machine/sim): a range is wider by it.
	closed = 0.08
	// unsure is how far a number that has a source may be off on another host, as
	// in the evidence of the experiments.
	unsure = 1.5
	// meshRead is xsync's one contended operation on a line that stays in a socket.
	meshRead = 13
	// aheadAcquisitions is enough for a draw.
	aheadAcquisitions = 2000
)

// Ahead computes every row of 8 threads and more, with sections, from rows of one
// and two threads. These tell how long sections last; how much a sibling slows
// them, within what their own runs scatter; what a sibling adds at a line; and how
// much the wall clock has beyond the threads' own time, at most. All else is drawn
// between published bounds: the ways of a line between the medians of four hosts,
// 44 to 51 ns in a socket and 108 to 136 across; an occupancy between half its way,
// on which the line itself travels, and the whole, on which it is asked for too; a
// read of a shared line about xsync's 13 ns.
func Ahead(rows []Row) ([]Range, error) {
	var few []Row
	for _, r := range rows {
		if r.Threads <= 2 {
			few = append(few, r)
		}
	}
	t := index(few)
	one, two := t[key{"empty", 200, 1}], t[key{"empty", 200, 2}]
	pair, bare := t[key{"incdec_refcount", 0, 2}], t[key{"empty", 0, 2}]
	rng := rand.New(rand.NewPCG(1, 0)) // any seed; the runs it makes are the same everywhere
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	ns := func(x float64) time.Duration { return time.Duration(math.Round(x)) }
	type draw struct {
		costs  sim.Costs
		beyond float64
	}
	drawn := make([]draw, draws)
	for i := range drawn {
		var v Values
		v.SiblingWork = max(1, two.CPU/one.CPU*between(two.Min, two.Max)/two.Median)
		// Two siblings at one word take turns, in two operations each.
		v.OccupancySibling = ns((pair.CPU - bare.CPU) / 4)
		near, far := between(44, 51), between(108, 136)
		v.Occupancy = ns(near * between(0.5, 1))
		v.OccupancyShared = ns(meshRead * math.Pow(unsure, between(-1, 1)))
		c := v.Costs()
		c.SameSocket, c.CrossSocket, c.OccupancyCross = ns(near), ns(far), ns(far*between(0.5, 1))
		drawn[i] = draw{c, between(0, max(one.Median-one.CPU, two.Median-two.CPU/2))}
	}
	var out []Range
	for _, r := range rows {
		if r.Threads < 8 || r.Critical == 0 || r.Lock == "empty" {
			continue
		}
		var all []float64
		for _, d := range drawn {
			got, err := t.simulate(d.costs, r, aheadAcquisitions)
			if err != nil {
				return nil, err
			}
			all = append(all, got+d.beyond)
		}
		slices.Sort(all)
		skip := int(draws * (1 - middle) / 2)
		out = append(out, Range{r, all[skip] * (1 - closed), all[draws-1-skip] * (1 + closed)})
	}
	return out, nil
}
