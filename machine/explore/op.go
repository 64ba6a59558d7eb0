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
	"", "begins", "load", "store", "add", "compare-and-swap", "relax", "lock", "try lock", "unlock",
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
	ln   *line
	seen uint32 // version of the line that a Relax waits to see changed
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
		return o.ln.version != o.seen || p.m.relaxed(o)
	}
	return true
}

// gives reports whether the agent itself asks for others to go first.
func (o *op) gives() bool { return o.kind == opSleep || o.kind == opYield }

// writes reports whether the operation changes its object.
func (o opKind) writes() bool { return o != opLoad && o != opRelax && o != opWait }

// object is what every kind of thing that agents share has: a name for
// reports, and the history that says which orders are equal.
type object struct {
	class string
	nr    int    // among its class, from 1, in the order in which a trace names them
	hash  uint64 // of the last operation that changed it
	reads uint64 // of those since that did not
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
}

type line struct {
	object
	l       *machine.Line
	version uint32 // counts writes
	last    *proc  // the one agent that used it; nil once there were two
	guards  []*lock
	shared  bool
	used    bool
}

type completion struct {
	object
	c *machine.Completion
}
