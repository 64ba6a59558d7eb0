package explore

import "hostlock/machine"

// Config describes a machine and how to explore it.
type Config struct {
	// Cores is how many cores there are; 4 where it is 0.
	Cores int
	// Seed is what every schedule, and every random number within one, derives
	// from.
	Seed uint64
	// MaxSteps bounds one schedule: what has not ended by then makes no
	// progress. 100000 where it is 0.
	MaxSteps int
	// FairAfter is the number of steps after which agents take turns, whatever
	// the schedule says, so that a schedule which starves somebody that others
	// wait for in a loop is not taken for one without progress. A tenth of
	// MaxSteps where it is 0.
	FairAfter int
	// Order lists which class of lock may be taken within which; the reverse
	// is a fault wherever it occurs. Classes that are not listed must not be
	// taken both ways round within one schedule, as the kernel's lockdep has it.
	Order []Nesting

	// Schedules is how many schedules to try; 1000 where it is 0. In an
	// exhaustive run it bounds how many are, and 0 is no bound.
	Schedules int
	// Exhaustive runs every order of operations within the bound, instead of
	// random ones.
	Exhaustive bool
	// Preemptions is how often an exhaustive schedule may take the next
	// operation from an agent that could have gone on, or have a timer of the
	// kernel fire while anything else could happen; below 0 there is no bound.
	Preemptions int
	// Symmetric says that threads, handlers and cores whose names differ only in
	// the number at the end can be exchanged without any difference: then orders
	// that equal one another but for that count as equal in an exhaustive run.
	Symmetric bool
	// NoCut makes an exhaustive run go through equal orders too.
	NoCut bool
	// Depth is the number of ordering constraints up to which PCT schedules
	// look for a fault (d); 3 where it is 0. Schedules take turns between the
	// random walk and PCT of depth 2 to Depth.
	Depth int
	// Reuse is how many schedules in a row may use what a test keeps with
	// Machine.Keep, before it is made anew; 1 where it is 0, and in an
	// exhaustive run.
	Reuse int
	// Caller is the import path of a package whose calls are verbs: a step of a
	// schedule that is shown names the function that this package has called.
	Caller string
	// Returns holds words to it that they come back to what they held, once all
	// threads have ended, where those of their class do so whenever threads run one
	// after another.
	Returns bool
	// NoShrink reports a failing schedule as it was found.
	NoShrink bool
	// Progress is called now and then with what has been done so far.
	Progress func(Report)
}

// Nesting says that a lock of class Inner may be taken under one of class
// Outer.
type Nesting struct{ Outer, Inner string }

func (c Config) complete() Config {
	def := func(n *int, v int) {
		if *n == 0 {
			*n = v
		}
	}
	def(&c.Cores, 4)
	def(&c.MaxSteps, 100_000)
	def(&c.FairAfter, c.MaxSteps/10)
	def(&c.Reuse, 1)
	def(&c.Depth, 3)
	if c.Exhaustive {
		c.Reuse = 1
	} else {
		def(&c.Schedules, 1000)
	}
	return c
}

// Test sets one schedule up: it makes what is to be tested, adds threads to m,
// and returns what to check once they have ended and nothing is left to
// happen; nil is nothing. It must do the same every time, and make everything
// anew but for what it finds in Machine.Kept.
type Test func(m *Machine) (check func() error, err error)

// lockKind is what every lock is here: waiters are admitted in any order, which
// includes the order of every kind.
const lockKind = machine.TAS
