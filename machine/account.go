package machine

import "time"

// What says what a core did with a stretch of time.
type What uint8

const (
	Working      What = iota // Work, and the cost of operations on lines the core has
	Spinning                 // waiting for a spinlock
	LineWait                 // waiting for a cache line that serves another core
	LineTransfer             // the way of a cache line to this core
	Retrying                 // an atomic whose compare failed, and waiting to try again
	Switching                // context switch, interrupt entry and exit
	Idle                     // nothing to run
	WhatCount
)

var whatNames = [WhatCount]string{"work", "spin", "line_wait", "line_transfer", "retry", "switch", "idle"}

func (w What) String() string { return whatNames[w] }

// Contention reports whether the time was lost to another core's use of the
// same thing: the definition by which strategies are compared.
func (w What) Contention() bool { return w == Spinning || w == LineWait || w == Retrying }

// Sample is one row of a machine's account: what one core did, in one place
// of the call path, over the measured window.
type Sample struct {
	Stack   []uintptr // program counters, leaf first, as runtime.Callers gives them
	What    What
	Section string // innermost section, in the kernel's spelling; "" outside any
	Path    []string
	Class   string // of the lock or line; "" for work
	Core    int    // -1 where cores were added up
	Hard    bool   // in a handler of hardware interrupts; never on live, which has none
	Socket  int
	Count   int64
	Time    time.Duration
	Blocked time.Duration // what waiters for the lock held here lost, where What is Working and Class a lock
	Hold    time.Duration // how long the lock was held from here
	Holds   int64         // how often
}

// Extremes summarises times as lock_stat does: the minimum is the smallest
// that is not zero.
type Extremes struct {
	Min, Max, Total time.Duration
	Count           int64
}

// Add takes one time into the summary.
func (e *Extremes) Add(d time.Duration) {
	e.Count++
	e.Total += d
	if d > e.Max {
		e.Max = d
	}
	if d > 0 && (e.Min == 0 || d < e.Min) {
		e.Min = d
	}
}

// Merge takes another summary into this one.
func (e *Extremes) Merge(o Extremes) {
	e.Count += o.Count
	e.Total += o.Total
	if o.Max > e.Max {
		e.Max = o.Max
	}
	if o.Min > 0 && (e.Min == 0 || o.Min < e.Min) {
		e.Min = o.Min
	}
}

// Avg is the mean, 0 where nothing was counted.
func (e Extremes) Avg() time.Duration {
	if e.Count == 0 {
		return 0
	}
	return e.Total / time.Duration(e.Count)
}

// LockStat has the columns of /proc/lock_stat for one class of lock.
type LockStat struct {
	Class        string
	Acquisitions int64
	Contentions  int64 // acquisitions that had to wait
	ConBounces   int64 // contentions where the lock was last held on another core
	AcqBounces   int64 // acquisitions where it was
	Wait, Hold   Extremes
	// Within is the part of the waits that lies within the window: a wait counts
	// whole where it ends, as in lock_stat, and may have begun long before.
	Within      time.Duration
	HoldSampled bool // Hold comes from a sample of the acquisitions
	Locks       int  // how many locks the class has
	// Handoff is what releases took to reach the next holder, while which the lock is
	// nobody's; 0 on live, which cannot tell.
	Handoff time.Duration
}

// LineStat is what the cache lines of one class did that had to come from another
// core.
type LineStat struct {
	Class   string
	Lines   int   // that moved at all
	Served  int64 // turns
	Busy    time.Duration
	Hottest time.Duration // of the line that was busiest
}

// Account is what a machine measured over a window.
type Account struct {
	Cores  int
	Began  time.Duration // when the window was opened, since the machine was started
	Window time.Duration
	Ready  time.Duration // threads x time that threads waited for a core; 0 on live, which cannot tell
	Cut    bool          // the window ended before its time, or never began: an interrupt, or Machine.Stop
	// Undrained says that the run ended while its threads had not finished: what
	// was under way then is not lost.
	Undrained bool
	Samples   []Sample
	Locks     []LockStat
	Lines     []LineStat // of virtual time alone: no computer tells
	Events    int64      // simulation events processed over the whole run; 0 on live
	Notes     []string
}

// OverCores is the account with the cores added up: one sample a place and
// reason, of core and socket -1. Lock statistics have no cores to add up.
func (a *Account) OverCores() *Account {
	type key struct {
		leaf *uintptr // one stack a place, shared by the samples of all cores
		what What
		path *string
		sect string
		cls  string
	}
	sum := *a
	sum.Samples = nil
	at := map[key]int{}
	for _, m := range a.Samples {
		k := key{what: m.What, sect: m.Section, cls: m.Class}
		if len(m.Stack) > 0 {
			k.leaf = &m.Stack[0]
		}
		if len(m.Path) > 0 {
			k.path = &m.Path[0]
		}
		i, ok := at[k]
		if !ok {
			i = len(sum.Samples)
			at[k] = i
			first := m
			first.Core, first.Socket = -1, -1
			sum.Samples = append(sum.Samples, first)
			continue
		}
		s := &sum.Samples[i]
		s.Count += m.Count
		s.Time += m.Time
		s.Blocked += m.Blocked
		s.Hold += m.Hold
		s.Holds += m.Holds
	}
	return &sum
}
