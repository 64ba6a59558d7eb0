package record

import (
	"fmt"
	"time"
)

// Bounds of the notes. Each is where what is said is larger than what the
// figures may be wrong by: 10 % for a mean of sampled holds.
const (
	noteShare    = 10.0 // % of the hold
	noteError    = 10.0 // % of the mean hold: what it is held against known programs to
	noteMoves    = 1.2  // hold after another processor over hold after the same
	noteSpread   = 8.0  // p99 over p50: three octaves, of histograms with four steps each
	noteSkew     = 4.0  // hottest instance over the mean one
	noteNear     = 80.0 // % of the time that one lock is held: a quarter more load is the end
	noteBusy     = 50.0 // % above which a random arrival waits longer than a hold
	noteContends = 1.0  // % of acquisitions
	noteMost     = 0.5  // of a lock's wait
	noteMatters  = 1.0  // % of the time that one lock is held, or that one goroutine waits
)

// Note says of each lock what makes its mean hold a poor guide. The record's
// frame must be filled in before.
func (r *Record) Note() {
	for i := range r.Locks {
		l := &r.Locks[i]
		l.Notes = []string{}
		if l.Harness || !r.matters(l) {
			continue
		}
		note := func(format string, args ...any) { l.Notes = append(l.Notes, fmt.Sprintf(format, args...)) }
		if l.HoldSameP != nil && l.HoldOtherP != nil && *l.HoldOtherP > noteMoves**l.HoldSameP {
			note("the data moves with the lock: a hold takes %s after a holder on another processor, %s after one on the same", ns(*l.HoldOtherP), ns(*l.HoldSameP))
		}
		if pct := l.HoldSplitPct["lock"]; pct >= noteShare {
			inner := "another lock"
			if len(l.Nested) > 0 {
				inner = l.Nested[0].Site
			}
			note("a nested lock: holders wait %.0f %% of the hold for %s", pct, inner)
		}
		if pct := l.HoldSplitPct["parked"]; pct >= noteShare {
			most, name := 0.0, ""
			for _, k := range []string{"io", "syscall", "sleep", "channel", "other"} {
				if l.ParkedPct[k] > most {
					most, name = l.ParkedPct[k], k
				}
			}
			note("holders are parked %.0f %% of the hold, mostly by %s: no faster code shortens that", pct, map[string]string{
				"io": "network I/O", "syscall": "a system call (file I/O)", "sleep": "sleeping", "channel": "a channel", "other": "something else (a condition, a wait group)"}[name])
		}
		if pct := l.HoldSplitPct["gc"]; pct >= noteShare/2 {
			note("holders work %.0f %% of the hold for the garbage collector: what allocates inside pays for it", pct)
		}
		if pct := l.HoldSplitPct["runnable"]; pct >= noteShare {
			note("holders wait %.0f %% of the hold for a processor: more goroutines are ready than GOMAXPROCS=%d runs", pct, r.Procs)
		}
		if l.Hold != nil && l.Hold.P50 > 0 && l.Hold.P99 > noteSpread*l.Hold.P50 {
			note("holds are uneven: half take up to %s, one in a hundred over %s; whoever waits meets the long ones", ns(l.Hold.P50), ns(l.Hold.P99))
		}
		if l.Instances > 1 && l.HottestSharePct != nil && *l.HottestSharePct*float64(l.Instances)/100 > noteSkew {
			note("the load is skewed: one of at least %d locks takes %.0f %% of the acquisitions", l.Instances, *l.HottestSharePct)
		}
		if e := l.HoldErrorPct; e != nil && *e > noteError {
			note("the mean hold is known to %.0f %% (a standard error): a few long holds make it, and not each was timed; record for longer", *e)
		}
		if l.HottestAtLeast {
			note("its %d locks or more share too few samples to tell how busy each is: what was seen of the hottest counts, and no more", l.Instances)
		}
		if u := l.HottestUtilizationPct; u != nil && l.Contended > 0 && *u < noteBusy && l.Instances == 1 &&
			100*float64(l.Contended)/float64(l.Acquisitions) > noteContends {
			note("acquisitions meet a holder %.0f %% of the time, at a utilisation of %.0f %%: arrivals come at random or in bursts, and not in turn", 100*float64(l.Contended)/float64(l.Acquisitions), *u)
		}
		if l.WaitTotalNs > 0 && l.WaitRunnableNs > noteMost*l.WaitTotalNs {
			note("%.0f %% of its wait is for a processor, after the lock was free: the scheduler's, and not the lock's", 100*l.WaitRunnableNs/l.WaitTotalNs)
		}
		if q := r.Frame.QuotaCPUs; q != nil && r.Frame.ThrottledPct != nil && *r.Frame.ThrottledPct >= 1 && l.Contended > 0 {
			note("the CPU quota of %.2g stops the process %.0f %% of the time, holders too", *q, *r.Frame.ThrottledPct)
		}
	}
	r.Words = r.conclusion()
}

// matters reports whether a lock is held or waited for long enough to be worth a
// line.
func (r *Record) matters(l *Lock) bool {
	if r.Seconds <= 0 {
		return true
	}
	u := 0.0
	if l.HottestUtilizationPct != nil {
		u = *l.HottestUtilizationPct
	}
	return u >= noteMatters || l.WaitTotalNs/r.Seconds/1e7 >= noteMatters
}

// conclusion is the answer, in the words that come first.
func (r *Record) conclusion() string {
	if len(r.Locks) == 0 {
		return "The command took no lock."
	}
	var hot, slow *Lock
	for i := range r.Locks {
		l := &r.Locks[i]
		if l.Harness {
			continue
		}
		if u := l.HottestUtilizationPct; u != nil && !l.Reads && (hot == nil || *u > *hot.HottestUtilizationPct) {
			hot = l
		}
		if slow == nil || l.waited() > slow.waited() {
			slow = l
		}
	}
	text, least := "", ""
	if hot != nil && hot.HottestAtLeast {
		least = "at least "
	}
	switch {
	case hot == nil:
		text = "No hold was measured"
	case *hot.HottestUtilizationPct >= noteNear:
		text = fmt.Sprintf("%s is at its limit: one lock is held %s%.0f %% of the time, %s at a time (measured). It takes no more than %.2g times this load", untyped(hot.Lock), least, *hot.HottestUtilizationPct, ns(hot.mean()), 100/min(*hot.HottestUtilizationPct, 100))
	case *hot.HottestUtilizationPct >= noteBusy:
		text = fmt.Sprintf("%s is the busiest: one lock is held %s%.0f %% of the time, %s at a time (measured). It takes no more than %.2g times this load", untyped(hot.Lock), least, *hot.HottestUtilizationPct, ns(hot.mean()), 100 / *hot.HottestUtilizationPct)
	default:
		text = fmt.Sprintf("No lock is near its limit: the busiest, %s, is held %s%.2g %% of the time (measured)", untyped(hot.Lock), least, *hot.HottestUtilizationPct)
	}
	if slow != nil && slow.waited() > 0 && r.Seconds > 0 {
		waiting := slow.waited() / r.Seconds / 1e9
		switch {
		case hot != nil && slow.Lock == hot.Lock:
			text += fmt.Sprintf("; on average %.2g goroutines wait for it", waiting)
		case waiting >= 0.01:
			text += fmt.Sprintf("; %s is only slow to wait for: %.2g goroutines wait on average", slow.Site, waiting)
		}
	}
	return text + "."
}

// waited is how long goroutines waited for the lock itself, and not for a
// processor once it was theirs.
func (l *Lock) waited() float64 { return max(l.WaitTotalNs-l.WaitRunnableNs, 0) }

func (l *Lock) mean() float64 {
	if l.Hold == nil {
		return 0
	}
	return l.Hold.Mean
}

// Ns prints a time in nanoseconds with three digits and a unit.
func Ns(v float64) string { return ns(v) }

// ns prints a time with three digits.
func ns(v float64) string {
	d := time.Duration(v)
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%.0f ns", v)
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g us", v/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", v/1e6)
	}
	return fmt.Sprintf("%.3g s", v/1e9)
}
