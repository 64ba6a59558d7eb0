package machine

import (
	"fmt"
	"sync"

	"go.uber.org/atomic"
)

// SpinLock is the kernel's spinlock_t. Interrupts are the caller's to turn
// off, before Lock and until after Unlock, wherever a handler may take the
// same lock.
//
// On the live machine it is a test-and-set lock, or a sync.Mutex where the
// machine was told so; in virtual time it has the cost of its kind; under
// exploration its Lock is a scheduling point.
type SpinLock struct {
	state atomic.Uint32
	// untilSlow counts down, under the lock, to the release that leaves the
	// lock in state sampled. A live mutex and a lock of the other machines
	// keep it at zero, and so every release off the fast path: a look at the
	// hook as well would put Unlock above the inlining budget.
	untilSlow int32
	kind      Kind
	line      *Line
	mu        sync.Mutex
	live      liveLock

	// Slot is the machine's own index of the lock, 0 before its first use.
	Slot  int
	class string
}

// States of a lock word. A lock left in sampled is free, but its next
// acquisition takes the slow path, where the hold can be timed: so timing one
// hold in many costs the others nothing.
const (
	free uint32 = iota
	held
	sampled
)

// Init makes l ready, of the kind that m gives to the class. The class names
// the lock in every report, in the kernel's spelling: "host_lock",
// "queue_lock". One line belongs to the lock alone.
func (l *SpinLock) Init(m Machine, class string) {
	l.InitOn(m, class, NewLine(class))
}

// InitOn is Init for a lock whose word shares its line with other fields.
func (l *SpinLock) InitOn(m Machine, class string, line *Line) {
	l.kind = m.LockKind(class)
	l.class, l.line = class, line
	m.adopt(l)
}

// Class is the name the lock was given.
func (l *SpinLock) Class() string { return l.class }

// Kind is the lock's algorithm.
func (l *SpinLock) Kind() Kind { return l.kind }

// Line is the cache line of the lock word.
func (l *SpinLock) Line() *Line { return l.line }

// Lock takes the lock.
func (l *SpinLock) Lock(t *Thread) {
	if t.hook != nil || !l.state.CompareAndSwap(free, held) {
		l.lockSlow(t)
	}
}

// TryLock takes the lock if it is free, and reports whether it did.
func (l *SpinLock) TryLock(t *Thread) bool {
	if t.hook != nil {
		if !t.hook.TryLock(l) {
			return false
		}
		l.take()
		return true
	}
	return l.state.CompareAndSwap(free, held) || l.tryLive(t)
}

// Unlock releases the lock, which the caller holds.
func (l *SpinLock) Unlock(t *Thread) {
	if l.untilSlow--; l.untilSlow > 0 {
		l.state.Store(free)
	} else {
		l.unlockSlow(t)
	}
}

// Held reports whether somebody holds the lock; for assertions.
func (l *SpinLock) Held() bool {
	if l.kind == Mutex && l.state.Load() == sampled {
		return l.mutexHeld()
	}
	return l.state.Load() == held
}

//go:noinline
func (l *SpinLock) lockSlow(t *Thread) {
	if t.hook != nil {
		t.hook.Lock(l)
		l.take()
		return
	}
	l.lockLive(t)
}

//go:noinline
func (l *SpinLock) unlockSlow(t *Thread) {
	if t.hook != nil {
		t.hook.Unlock(l)
		l.untilSlow = 0
		if l.state.Swap(free) != held {
			panic("machine: unlock of " + l.Class() + ", which nobody holds")
		}
		return
	}
	l.unlockLive(t)
}

// take is the real acquisition behind a hook that has done the waiting: if it
// fails, the machine let two threads in.
func (l *SpinLock) take() {
	if !l.state.CompareAndSwap(free, held) {
		panic("machine: " + l.Class() + " granted while it is held")
	}
}

// Kind is a lock's algorithm. In virtual time it selects a hand-off model; on
// the live machine only TAS and Mutex are real, since a fair queue of
// goroutines collapses for good as soon as one that holds a place in it is not
// running.
type Kind uint8

const (
	// Ticket is the FIFO lock of x86 Linux 2.6.25 to 4.1: one word that every
	// waiter spins on.
	Ticket Kind = iota
	// TAS swaps the word until it was free: any waiter may win, and a release
	// waits behind their swaps. On the live machine it looks between two swaps.
	TAS
	// Queued is an MCS-style lock, as Linux has since 4.2: every waiter spins
	// on a line of its own.
	Queued
	// Mutex puts waiters to sleep.
	Mutex
	// TTAS looks before it swaps, and backs off where it has lost.
	TTAS
)

// How long a waiter of kind TTAS backs off that has lost, in turns of a retry
// loop: twice as long each time, of which half is drawn. The first is about a
// line's way to another socket, the longest a few microseconds, some ten sections
// of a spinlock.
const (
	BackoffFirst = 8
	BackoffMost  = 256
)

var kinds = []struct {
	name, about string
}{
	{"ticket", "FIFO, all waiters spin on one word; hand-off grows with their number (x86 Linux 2.6.25 to 4.1)"},
	{"tas", "test-and-set, no order; all waiters swap the word all the time, and a release takes its turn among them"},
	{"queued", "or mcs: a queue, each waiter but its head spins on its own line; constant hand-off (x86 Linux since 4.2)"},
	{"mutex", "waiters sleep and are woken; spins nothing"},
	{"ttas", "test-and-test-and-set with backoff; waiters read, rush at a release, and the losers back off"},
}

// Kinds lists the names of all kinds, in the order of their constants.
func Kinds() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// String is the name that ParseKind takes.
func (k Kind) String() string { return kinds[k].name }

// About is one line on what the kind is.
func (k Kind) About() string { return kinds[k].about }

// ParseKind takes a name of Kinds; its error names them all.
func ParseKind(name string) (Kind, error) {
	if name == "mcs" {
		return Queued, nil
	}
	for i, k := range kinds {
		if k.name == name {
			return Kind(i), nil
		}
	}
	return 0, fmt.Errorf("unknown lock kind %q; legal: %v", name, Kinds())
}
