package machine

import "go.uber.org/atomic"

// Word is one shared 64-bit value. Its operations are sequentially
// consistent, as Go's are. The zero Word is not ready: give it a line with
// [Word.Init], or several a common one where they share it.
//
// The layout is the owner's: a counter that should have a line to itself is
// padded by whoever declares it, ring cells are packed.
type Word struct {
	v    atomic.Uint64
	line *Line
}

// Init places the word on a line and gives it a value. It is not atomic:
// call it before the word is shared.
func (w *Word) Init(l *Line, value uint64) {
	w.line = l
	w.v.Store(value)
}

// Line is the line that the word lies on.
func (w *Word) Line() *Line { return w.line }

// Load reads the word.
func (w *Word) Load(t *Thread) uint64 {
	if t.hook != nil {
		w.before(t, OpLoad)
	}
	return w.v.Load()
}

// Store writes the word.
func (w *Word) Store(t *Thread, value uint64) {
	if t.hook != nil {
		w.before(t, OpStore)
	}
	w.v.Store(value)
}

// Add adds delta, which wraps, and returns the new value.
func (w *Word) Add(t *Thread, delta uint64) uint64 {
	if t.hook != nil {
		w.before(t, OpRMW)
	}
	return w.v.Add(delta)
}

// Dec subtracts one and returns the new value.
func (w *Word) Dec(t *Thread) uint64 {
	if t.hook != nil {
		w.before(t, OpRMW)
	}
	return w.v.Add(^uint64(0))
}

// Swap writes value and returns what was there.
func (w *Word) Swap(t *Thread, value uint64) uint64 {
	if t.hook != nil {
		w.before(t, OpRMW)
	}
	return w.v.Swap(value)
}

// CAS writes value if the word is old, and reports whether it did.
func (w *Word) CAS(t *Thread, old, value uint64) bool {
	if t.hook != nil {
		return w.casHooked(t, old, value)
	}
	return w.v.CompareAndSwap(old, value)
}

// Peek reads the word outside any thread: for reports and checks after a run.
func (w *Word) Peek() uint64 { return w.v.Load() }

// Relax is one turn of a retry loop that waits for another thread to change
// w. Every hand-written retry loop calls it, or virtual time would stand still
// while the loop spins.
func (t *Thread) Relax(w *Word) {
	if t.hook != nil {
		t.hook.Relax(w)
		return
	}
	t.relaxLive()
}

// before is out of line so that the operations above stay within the
// compiler's inlining budget.
//
//go:noinline
func (w *Word) before(t *Thread, op Op) {
	if w.line == nil {
		panic(Misuse("a Word is used before Word.Init has given it a line"))
	}
	t.hook.Access(w.line, w, op)
}

// Misuse is what the machine panics with where its caller breaks a rule: the
// caller's fault.
type Misuse string

func (m Misuse) Error() string { return string(m) }

//go:noinline
func (w *Word) casHooked(t *Thread, old, value uint64) bool {
	w.before(t, OpCAS)
	if w.v.CompareAndSwap(old, value) {
		return true
	}
	t.hook.Retry(w)
	return false
}

// Line is one cache line that cores share. Its owner declares it and says
// which Words and fields lie on it; no machine ever looks at an address.
//
// A line belongs to the machine that first used it.
type Line struct {
	// Class names the line in reports, such as "host" or "ring_tail".
	Class string
	// Unordered says that nothing orders the uses of the plain fields on the
	// line, on purpose: registers of hardware, or what the kernel itself stores
	// and reads without a lock. Where schedules are explored, unordered uses of
	// any others are a finding.
	Unordered bool
	// Slot is the machine's own index of the line, 0 before its first use.
	Slot int
}

// NewLine declares a line of its own.
func NewLine(class string) *Line { return &Line{Class: class} }
