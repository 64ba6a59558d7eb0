package lockhammer

import (
	"errors"
	"math"
	"time"

	"hostlock/machine/sim"
)

// Values are what is fitted to the host: as FIT.md says, each by its rows.
type Values struct {
	SiblingWork      float64
	OccupancySibling time.Duration
	Occupancy        time.Duration
	OccupancyShared  time.Duration
}

// Fitted is what [Fit] finds, kept so that nobody has to wait for it.
var Fitted = Values{SiblingWork: 1.151, OccupancySibling: 9, Occupancy: 39, OccupancyShared: 14}

// Costs is the host's cost table: the fitted values, the published ways of a line
// of its generation (Broadwell E5-2695v4: 44 ns in a socket, 118 ns across), a far
// line busy for its whole way, and the machine's defaults for the rest.
func (v Values) Costs() sim.Costs {
	c := sim.DefaultCosts()
	c.SameSocket, c.CrossSocket, c.OccupancyCross = 44, 118, 118
	c.Siblings, c.SiblingWork = 2, v.SiblingWork
	c.OccupancySibling, c.Occupancy, c.OccupancyShared = v.OccupancySibling, v.Occupancy, v.OccupancyShared
	return c
}

// simulate gives a row's nanoseconds an acquisition. Section lengths are those of
// the empty row of one thread.
func (t table) simulate(c sim.Costs, row Row, acquisitions int) (float64, error) {
	alone := t[key{"empty", row.Critical, 1}]
	if alone.CPU == 0 {
		return 0, errors.New("no empty row of one thread to take the sections' lengths from")
	}
	l := load{lock: row.Lock, threads: row.Threads, around: alone.CPU}
	if work := float64(row.Critical + row.Parallel); work > 0 {
		l.critical = alone.CPU * float64(row.Critical) / work
		l.around = alone.CPU - l.critical
	}
	return simulate(c, l, acquisitions)
}

// predict is simulate, and what the wall time of the empty row of as many threads
// has beyond their processor time (starting and ending them): the host's clock has
// it, and virtual time has not.
func (t table) predict(c sim.Costs, row Row, acquisitions int) (float64, error) {
	empty := t[key{"empty", row.Critical, row.Threads}]
	ns, err := t.simulate(c, row, acquisitions)
	return ns + empty.Median - empty.CPU/float64(row.Threads), err
}

// within reports whether a row belongs to those of a lock and a setting with so
// many threads.
func within(r Row, lock string, critical, from, to int) bool {
	return r.Lock == lock && r.Critical == critical && r.Threads >= from && r.Threads <= to
}

// UsedToFit reports whether one of the values is fitted by the row.
func UsedToFit(r Row) bool {
	return within(r, "empty", 200, 1, 88) || within(r, "incdec_refcount", 0, 2, 44) || within(r, "ticket_spinlock", 0, 4, 44)
}

// fitAcquisitions makes a rate steady to a percent.
const fitAcquisitions = 4000

// Fit finds the values, one after the other: each is the whole nanosecond at which
// the model is neither above nor below its rows, by the mean of the logarithms.
func Fit(rows []Row) (Values, error) {
	v := Fitted
	t := index(rows)
	alone, sum, n := t[key{"empty", 200, 1}].CPU, 0.0, 0
	for _, r := range rows {
		if within(r, "empty", 200, 2, 88) {
			sum += r.CPU / alone
			n++
		}
	}
	v.SiblingWork = math.Round(1000*sum/float64(n)) / 1000
	for _, f := range []struct {
		value    *time.Duration
		lock     string
		from, to int
	}{
		{&v.OccupancySibling, "incdec_refcount", 2, 2},
		{&v.Occupancy, "incdec_refcount", 4, 44},
		{&v.OccupancyShared, "ticket_spinlock", 4, 44},
	} {
		above := func(ns time.Duration) (float64, error) {
			*f.value = ns
			sum := 0.0
			for _, r := range rows {
				if within(r, f.lock, 0, f.from, f.to) {
					got, err := t.predict(v.Costs(), r, fitAcquisitions)
					if err != nil {
						return 0, err
					}
					sum += math.Log(got / r.Median)
				}
			}
			return sum, nil
		}
		lo, hi := time.Duration(1), v.Costs().SameSocket // a line is busy no longer than on its way
		for hi-lo > 1 {
			mid := (lo + hi) / 2
			d, err := above(mid)
			if err != nil {
				return v, err
			}
			if d > 0 {
				hi = mid
			} else {
				lo = mid
			}
		}
		low, err := above(lo)
		if err != nil {
			return v, err
		}
		high, err := above(hi)
		if err != nil {
			return v, err
		}
		if *f.value = hi; -low < high {
			*f.value = lo
		}
	}
	return v, nil
}
