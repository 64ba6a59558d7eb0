package lockhammer

import (
	"hostlock/machine/theory"
)

// Verdict is a row beside what the model says of it.
type Verdict struct {
	Row
	Model float64
	Chain float64 // what the published ticket chain says; 0 where it says nothing
	Role  Role
	Good  bool // off by no more than Tolerance, or within the row's own runs
}

// Role is what a row is there for.
type Role string

// What rows are there for.
const (
	Fits   Role = "fits"
	Judges Role = "judges"
	Beside Role = "beside" // shown only, as FIT.md says
)

// Tolerance is how far off a row may be, as a fraction.
const Tolerance = 0.2

// judgeAcquisitions is how many the verdicts are made of.
const judgeAcquisitions = 10_000

// Off is how far the model is off, as a fraction.
func (v Verdict) Off() float64 { return v.Model/v.Median - 1 }

// roleOf is a row's role, by FIT.md.
func roleOf(r Row) Role {
	switch {
	case UsedToFit(r):
		return Fits
	case r.Critical == 0 && (r.Lock == "queued_spinlock" || r.Lock == "swap_mutex"):
		return Beside
	default:
		return Judges
	}
}

// Judge simulates every row of the locks.
func Judge(rows []Row, v Values) ([]Verdict, error) {
	t := index(rows)
	c := chainConstant(rows)
	var out []Verdict
	for _, r := range rows {
		if r.Lock == "empty" {
			continue
		}
		got, err := t.predict(v.Costs(), r, judgeAcquisitions)
		if err != nil {
			return nil, err
		}
		j := Verdict{Row: r, Model: got, Role: roleOf(r)}
		j.Good = j.Off() >= -Tolerance && j.Off() <= Tolerance || got >= r.Min && got <= r.Max
		if r.Lock == "ticket_spinlock" && r.Critical > 0 && r.Threads > 1 {
			s, a := chainTimes(t, r, v)
			j.Chain = 1 / theory.Solve(r.Threads, a, theory.Ticket(s, c)).Throughput
		}
		out = append(out, j)
	}
	return out, nil
}

// chainTimes are a row's section and think time beside busy siblings.
func chainTimes(t table, r Row, v Values) (s, a float64) {
	alone := t[key{"empty", r.Critical, 1}].CPU * v.SiblingWork
	s = alone * float64(r.Critical) / float64(r.Critical+r.Parallel)
	return s, alone - s
}

// chainConstant is the one constant of the published ticket chain, from the rows
// that fit what a read of a shared line keeps it busy: without sections each
// hand-off has all the others waiting.
func chainConstant(rows []Row) float64 {
	sum, n := 0.0, 0
	for _, r := range rows {
		if within(r, "ticket_spinlock", 0, 4, 44) {
			sum += r.Median / (float64(r.Threads-1) / 2)
			n++
		}
	}
	return sum / float64(n)
}

// overlap reports whether the runs of two rows do.
func overlap(a, b Row) bool { return a.Min <= b.Max && b.Min <= a.Max }

// Rank is two locks that the host tells apart at a number of threads.
type Rank struct {
	Faster, Slower Verdict
	Right          bool
}

// Ranks compares every two kinds whose runs do not overlap.
func Ranks(all []Verdict) []Rank {
	var out []Rank
	for _, a := range all {
		for _, b := range all {
			if a.Critical != 0 && a.Critical == b.Critical && a.Threads == b.Threads && a.Lock != "incdec_refcount" && b.Lock != "incdec_refcount" &&
				a.Median < b.Median && !overlap(a.Row, b.Row) {
				out = append(out, Rank{a, b, a.Model < b.Model})
			}
		}
	}
	return out
}
