package profiles

import (
	"math"
	"time"
)

// ClassCacheLine is the row of [Attribution.ByClass] for what was lost to
// cache lines rather than to a lock.
const ClassCacheLine = "cache_line"

// ClassHostLock is the class that the published table is about.
const ClassHostLock = "host_lock"

// Share is one figure of an attribution.
type Share struct {
	Name string
	Time time.Duration
	// Pct is Time in percent of busy CPU time.
	Pct float64
	// StdErr is the sampling standard error of Pct in points,
	// 100 sqrt(p(1-p)/n); 0 for exact figures.
	StdErr float64
}

// Attribution is a CPU profile read as the published table.
type Attribution struct {
	Info    Info // from the profile's comments; zero where it has none
	HasInfo bool

	// Busy is all CPU time but that of idle pollers: what every share is a
	// share of.
	Busy time.Duration
	// Idle is the CPU time of idle pollers, which is left out.
	Idle time.Duration
	// Samples is how many samples Busy comes from. In an exact profile it
	// counts stretches of time and says nothing about errors.
	Samples int64
	// Sampled is false for exact figures.
	Sampled bool
	Period  time.Duration

	// HostLock is busy time spent spinning on class host_lock, ByFunction its
	// parts by the nearest of the four measured paths, in the order of
	// [results.Functions].
	HostLock   Share
	ByFunction []Share

	// Contention is all spinning on every lock, failed compare-and-swap
	// retries, and waiting for cache lines that served other cores; ByClass
	// its parts, host_lock and cache_line always among them, others by size.
	Contention Share
	ByClass    []Share

	// ByWhat splits Busy by what the cores did, in the order of
	// machine.What; WorkBySection the part that was work, by innermost
	// section, largest first.
	ByWhat        []Share
	WorkBySection []Share

	// Notes say what had to be assumed.
	Notes []string
}

// StdErr is the sampling standard error, in points, of a share of pct percent
// over n samples: 100 sqrt(p(1-p)/n).
func StdErr(pct float64, n int64) float64 {
	if n <= 0 {
		return 0
	}
	p := min(max(pct/100, 0), 1)
	return 100 * math.Sqrt(p*(1-p)/float64(n))
}

func (a *Attribution) share(name string, ns int64) Share {
	s := Share{Name: name, Time: time.Duration(ns)}
	if a.Busy > 0 {
		s.Pct = 100 * float64(ns) / float64(a.Busy)
	}
	if a.Sampled {
		s.StdErr = StdErr(s.Pct, a.Samples)
	}
	return s
}
