package explore

import "hostlock/machine"

type opKind uint8

const (
	opNone opKind = iota
	opBegin
	opLoad
	opStore
	opRMW
	opCAS
	opMiss
	opRead
	opWrite
	opRelax
	opLock
	opTryLock
	opUnlock
	opRLock
	opWLock
	opRWUnlock
	opWait
	opComplete
	opSleep
	opYield
	opIRQSave
	opIRQRestore
	opArm
	opDisarm
	opRaise
	opNote
)

var opNames = [...]string{
	"", "begins", "load", "store", "add", "compare-and-swap",
	"compare-and-swap, failed", "read", "write", "relax", "lock", "try lock", "unlock",
	"read lock", "write lock", "unlock", "wait", "complete", "sleep", "yield",
	"interrupts off", "interrupts back", "arm", "disarm", "raise", "note",
}

// op is the operation that an agent makes when it is next chosen.
type op struct {
	kind opKind
	obj  *object
	lk   *lock
	rw   *rwlock
	done *machine.Completion
	word *word
	seen uint32 // version of the word that a Relax waits to see changed
	at   int    // the step at which it began to
}

// ready reports whether the operation can be made now.
func (o *op) ready(p *proc) bool {
	switch o.kind {
	case opLock:
		return o.lk.owner == nil
	case opRLock:
		return !o.rw.writer
	case opWLock:
		return !o.rw.writer && o.rw.readers == 0
	case opWait:
		return o.done.Done() > 0
	case opRelax:
		return o.word.version != o.seen || p.m.relaxed(o)
	}
	return true
}

// gives reports whether the agent itself asks for others to go first.
func (o *op) gives() bool { return o.kind == opSleep || o.kind == opYield }

// writes reports whether the operation changes its object.
func (o opKind) writes() bool {
	return o != opLoad && o != opMiss && o != opRead && o != opRelax && o != opWait
}

type lock struct {
	object
	l     *machine.SpinLock
	owner *proc
	// used says in which contexts the lock was taken: bits of usedIn.
	used uint8
}

type rwlock struct {
	object
	l       *machine.RWMutex
	writer  bool
	readers int
	shared  clock // what those knew who released it after reading
}

// word is a machine.Word. Its object is the word alone, not its line: two
// words are independent of each other wherever they lie.
type word struct {
	object
	w       *machine.Word
	slot    int
	version uint32 // counts writes
	first   uint64 // what it held before anybody touched it
	touched bool   // in this schedule
	// Where that is learnt: what it has held, what last, and whether it ever changed
	// by more than one.
	values map[uint64]bool
	last   uint64
	leaps  bool
}

type completion struct {
	object
	c *machine.Completion
}
