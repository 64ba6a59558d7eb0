package machine

import (
	"context"
	"time"
)

// Machine runs threads. It is used to set a run up; the path itself only ever
// sees [Thread] and the types beside it.
type Machine interface {
	// Name is live, sim or explore.
	Name() string
	// Cores is how many cores there are.
	Cores() int
	// Seed is what all random sub-streams derive from.
	Seed() uint64
	// LockKind is the algorithm of spinlocks of a class on this machine.
	LockKind(class string) Kind

	// Go adds a thread on a core. Daemons do not keep the run from ending.
	// Threads are added before Run, or by a thread of the machine.
	Go(name string, core int, daemon bool, fn func(*Thread))
	// Stopping reports whether threads should finish what they do and return.
	Stopping() bool
	// Stop ends the window now, or keeps it from beginning, and has the threads
	// finish: for a load that has come to its end before its time, and whose idle
	// rest is in no rate. The account is marked Cut.
	Stop()
	// Run runs everything, and returns what was measured over the window.
	Run(ctx context.Context, c Course) (*Account, error)

	adopt(*SpinLock)
	adoptTimer(*Timer)
	adoptIRQ(*IRQ)
}

// Course is how a run goes: a warm-up that no figure contains, a measured
// window, then a drain in which the threads finish.
type Course struct {
	Warmup   time.Duration
	Duration time.Duration
	// Drain bounds how long the threads may take to finish; what is not done
	// by then is lost. Zero means 30 s.
	Drain time.Duration
	// Begin and End are called at the edges of the window, when no thread is
	// between two operations in virtual time; counters are read there.
	Begin, End func()
	// Progress is called now and then with the share of the window that is
	// over, 0 to 1.
	Progress func(done float64)
}

// Base is embedded by machines outside this package to satisfy the
// unexported part of [Machine].
type Base struct{}

func (Base) adopt(*SpinLock)   {}
func (Base) adoptTimer(*Timer) {}
func (Base) adoptIRQ(*IRQ)     {}
