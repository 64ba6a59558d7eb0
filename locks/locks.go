// Package locks has lock algorithms on package machine, one a file, each with
// its origin: what guards a bare critical section.
//
// An algorithm is written once, over machine.Word, and is what runs on the live
// machine and under exploration. In virtual time, where a waiter that spins on a
// copy of its own would make an event a turn, kinds of the machine's own spinlock
// stand for tas, ttas, ticket and queued; Go's own locks stand for mutex and rwmutex on
// the live machine.
package locks

import (
	"fmt"
	"slices"

	"hostlock/closest"
	"hostlock/machine"
)

// Lock guards a critical section.
type Lock interface {
	Lock(t *machine.Thread)
	Unlock(t *machine.Thread)
}

// RWLock is a Lock that readers share.
type RWLock interface {
	Lock
	RLock(t *machine.Thread)
	RUnlock(t *machine.Thread)
}

// Env is what a lock is made on.
type Env struct {
	Machine machine.Machine
	Class   string // names the lock and its lines in reports
	Threads int    // the IDs of those who take it are below this
}

// Info is one kind of lock.
type Info struct {
	Name    string
	Aliases []string
	About   string
	Origin  string // of the algorithm
	New     func(Env) Lock
	// Spins is the machine's own kind that stands for it in virtual time.
	Spins machine.Kind
	// Closed says that Spins does.
	Closed bool
	// FIFO says that a waiter which is not running stops all behind it: on the
	// live machine no more threads than cores may take it.
	FIFO bool
	// Sleeps says that a waiter gives its core up.
	Sleeps bool
}

// Shared reports whether readers share the lock.
func (i Info) Shared() bool { return i.Name == "rwmutex" }

var kinds = []Info{tasInfo, ttasInfo, ticketInfo, queuedInfo, mutexInfo, rwmutexInfo}

// Kinds lists all kinds, the simplest first.
func Kinds() []Info { return slices.Clone(kinds) }

// Names lists their names.
func Names() []string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.Name)
	}
	return out
}

// Lookup finds a kind by its name or alias; its error says what is legal.
func Lookup(name string) (Info, error) {
	for _, k := range kinds {
		if k.Name == name || slices.Contains(k.Aliases, name) {
			return k, nil
		}
	}
	return Info{}, fmt.Errorf("unknown lock kind %q; legal: %v%s", name, Names(), closest.Hint(name, Names()))
}

// on picks the machine's spinlock of a kind in virtual time, and the algorithm's
// own code elsewhere.
func on(e Env, own func(Env) Lock) Lock {
	if e.Machine.Name() != "sim" {
		return own(e)
	}
	l := new(machine.SpinLock)
	l.Init(e.Machine, e.Class)
	return l
}
