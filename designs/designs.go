// Package designs has ways to guard a bare critical section, one a file: what a
// strategy is to the path, a design is to one lock. It registers by name, runs on
// all three machines, and has no cost of its own.
//
// What is guarded is a table of counters, one a key: a write adds one to its key's
// counter, a read returns it. Both take the caller's hold, and touch the lines on
// which the data lie.
package designs

import (
	"fmt"
	"slices"
	"time"

	"hostlock/closest"
	"hostlock/locks"
	"hostlock/machine"
)

// Design guards a table of counters.
type Design interface {
	// Write adds one to the counter of a key, with hold spent where the data must
	// not change under it.
	Write(t *machine.Thread, key int, hold time.Duration)
	// Read returns the counter of a key: at least the writes that had ended when it
	// began, at most those that had begun when it ended, unless Info.Lags.
	Read(t *machine.Thread, key int, hold time.Duration) uint64
	// Flush has a thread hand in what it kept back; it is called once, last.
	Flush(t *machine.Thread)
	// Sum adds all counters up, when no thread runs.
	Sum() uint64
}

// Base has what most designs leave out.
type Base struct{}

func (Base) Flush(*machine.Thread) {}

// Env is what a design is made on.
type Env struct {
	Machine machine.Machine
	Kind    locks.Info // of every lock that the design takes
	Threads int        // whose IDs are below this
	Cores   int
	Keys    int
	Lines   int // that a hold writes, or reads: how much data moves with the lock
	Parts   int // shards, or writes a batch; 0 is the design's own choice
	// Held is told of every stretch in which a lock instance is held, and whether
	// somebody held it when its holder came; nil is nobody.
	Held func(instance int, met bool, from, to time.Duration)
}

// ownThreads is how many threads a design may add.
const ownThreads = 1

// Class names the lock, and its lines, in reports.
const Class = "lock"

func (e *Env) lock() locks.Lock {
	return e.Kind.New(locks.Env{Machine: e.Machine, Class: Class, Threads: e.Threads + ownThreads})
}

// Info is one design.
type Info struct {
	Name  string
	About string
	Gives string // what the caller gives up for it; "" is nothing
	// Lags says that a read may miss writes that have ended.
	Lags bool
	// Kinds says that the kind of lock matters.
	Kinds bool
	// Readers says that reads get along with each other.
	Readers bool
	New     func(Env) Design
}

var registry []Info

// Register adds a design under its name; a second of that name is a panic, as
// in database/sql.
func Register(i Info) {
	if slices.ContainsFunc(registry, func(o Info) bool { return o.Name == i.Name }) {
		panic("designs: " + i.Name + " is registered twice")
	}
	registry = append(registry, i)
}

// All lists what is registered.
func All() []Info { return slices.Clone(registry) }

// Names lists the names.
func Names() []string {
	var out []string
	for _, i := range registry {
		out = append(out, i.Name)
	}
	return out
}

// Lookup finds a design; its error says what is legal.
func Lookup(name string) (Info, error) {
	for _, i := range registry {
		if i.Name == name {
			return i, nil
		}
	}
	return Info{}, fmt.Errorf("unknown design %q; legal: %v%s", name, Names(), closest.Hint(name, Names()))
}
