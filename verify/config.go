package verify

import (
	"fmt"
	"strings"

	"hostlock/dispatch/eh"
	"hostlock/machine/explore"
)

// Config says what to verify, and how thoroughly.
type Config struct {
	// Strategy is a registered name.
	Strategy string
	// Driver is a registered name; the package's own where it is empty, which
	// alone can refuse commands, complete them in every context, and see what
	// it is given.
	Driver string
	// Threads issue Commands each, on LUNs of one target of a host with CanQueue
	// slots: 4, 4, 2 and 2 where they are 0, in an exhaustive run 2, 2, 1 and 1.
	Threads, Commands, LUNs, CanQueue int
	// Schedules is how many to run: 10000 where it is 0; in an exhaustive run
	// a bound, and 0 is none.
	Schedules int
	// Seed is what all schedules derive from.
	Seed uint64
	// Exhaustive runs every order of operations of the first scenario with at
	// most Preemptions preemptions, instead of random ones of all.
	Exhaustive  bool
	Preemptions int
	// NoCut has an exhaustive run go through equal orders too: the measure of
	// what cutting loses.
	NoCut bool
	// Scenarios are the names of those to run; nil is all.
	Scenarios []string
	// Set has parameters by name, as --set takes them, which beat a scenario's.
	Set map[string]string
	// Mistake has error handling go wrong on purpose.
	Mistake eh.Mistake
	// Strict makes a finding of every stall: a queue that was refused a slot and
	// that, when the slot had come free, nothing but the 3 ms timer of its plug
	// restarted. Under the kernel's own locking that happens, since a run of
	// the queues takes the starved list away from the completions that come
	// meanwhile; the timer is there for it. Without Strict stalls are counted,
	// and are a finding where they are the rule.
	Strict bool
	// AsFound keeps a finding at the size at which it was found, instead of
	// looking for a smaller one.
	AsFound bool
	// Progress is called now and then with what has been done so far.
	Progress func(explore.Report)
}

// DefaultSchedules is how many are run where nothing else is said.
const DefaultSchedules = 10_000

// Sizes that a Config may have.
const (
	maxThreads  = 16
	maxCommands = 64
	maxLUNs     = 16
)

// complete fills in defaults; its error says what is legal.
func (c Config) complete() (Config, error) {
	def := func(n *int, wide, narrow int) {
		if *n == 0 {
			*n = wide
			if c.Exhaustive {
				*n = narrow
			}
		}
	}
	def(&c.Threads, 4, 2)
	def(&c.Commands, 4, 2)
	def(&c.LUNs, 2, 1)
	def(&c.CanQueue, 2, 1)
	if !c.Exhaustive && c.Schedules == 0 {
		c.Schedules = DefaultSchedules
	}
	if c.Driver == "" {
		c.Driver = DriverName
	}
	for _, v := range []struct {
		what   string
		n, max int
	}{{"threads", c.Threads, maxThreads}, {"commands", c.Commands, maxCommands}, {"LUNs", c.LUNs, maxLUNs}, {"host slots", c.CanQueue, maxThreads * maxCommands}} {
		if v.n < 1 || v.n > v.max {
			return c, fmt.Errorf("%d %s; legal: 1 to %d", v.n, v.what, v.max)
		}
	}
	if c.Schedules < 0 {
		return c, fmt.Errorf("%d schedules; legal: 1 or more", c.Schedules)
	}
	for _, name := range c.Scenarios {
		if find(name) == nil {
			return c, fmt.Errorf("unknown scenario %q; legal: %s", name, strings.Join(Scenarios(), ", "))
		}
	}
	return c, nil
}

// long reports whether a verification is a whole one, which the long run belongs to:
// of all scenarios, of the default size or more, of the own driver as it is.
func (c *Config) long() bool {
	return !c.Exhaustive && (c.Schedules == 0 || c.Schedules >= DefaultSchedules) && len(c.Scenarios) == 0 && len(c.Set) == 0 &&
		c.Mistake == eh.NoMistake && (c.Driver == "" || c.Driver == DriverName)
}

// kernelOrder is the one order in which the path's locks may nest: the timeout
// of a request takes host_lock within queue_lock, and nothing the other way
// round.
var kernelOrder = []explore.Nesting{{Outer: "queue_lock", Inner: "host_lock"}}

// reuse is how many schedules in a row share a system.
const reuse = 16

// bound is how many preemptions an exhaustive run may make.
func (c *Config) bound() int {
	if c.Exhaustive && c.Preemptions == 0 {
		return 2
	}
	return c.Preemptions
}

// cores is how many cores an explored machine has, where a scenario needs no more.
func (c *Config) cores() int { return min(c.Threads, 4) }

func (c *Config) explore() explore.Config {
	e := explore.Config{
		Cores: c.cores(), Seed: c.Seed, Order: kernelOrder,
		Schedules: c.Schedules, Exhaustive: c.Exhaustive, Preemptions: c.bound(), NoCut: c.NoCut, Reuse: reuse,
		Caller: "hostlock/dispatch", Returns: !c.Exhaustive,
	}
	// Ten times what a schedule needs, in which agents take turns for the
	// second half.
	e.MaxSteps = max(20_000, 1500*c.Threads*c.Commands)
	if len(c.Set) > 0 {
		e.MaxSteps *= 8 // faults may have been asked for, each of which has its command tried again
	}
	e.FairAfter = e.MaxSteps / 2
	// On one LUN all threads do the same, and cores differ in nothing.
	e.Symmetric = c.Exhaustive && c.LUNs == 1 && len(c.Scenarios) == 0
	if c.Progress != nil {
		e.Progress = c.Progress
	}
	return e
}
