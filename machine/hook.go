package machine

import "time"

// Op says what a memory operation does to its cache line.
type Op uint8

const (
	OpLoad  Op = iota // a read: the line may stay shared
	OpStore           // a plain write: the line becomes exclusive
	OpRMW             // a locked read-modify-write: exclusive, and a bus-locked cost
	OpCAS             // a compare-and-swap; Retry follows where it failed
)

// Hook is what a simulated or exploring machine puts behind a [Thread]. Each
// method is called on the thread's own stack, just before the operation that
// it names really executes, and may suspend the thread for as long as the
// machine decides. Live threads have no hook.
type Hook interface {
	// Access precedes one memory operation on a line: on a word there, or, where
	// w is nil, on the line's plain fields, which some lock or word orders.
	Access(l *Line, w *Word, op Op)
	// Retry follows a compare-and-swap that failed, on its word.
	Retry(w *Word)
	// Relax is one turn of a hand-written retry loop that waits for w to
	// change (the kernel's cpu_relax).
	Relax(w *Word)
	// Note precedes a use of the lab's own instruments that l stands for. It
	// costs nothing; only its order among others of l can matter.
	Note(l *Line)

	// Lock waits until l is this thread's to take. Unlock precedes the release.
	Lock(l *SpinLock)
	// TryLock reports whether l is free for this thread to take now.
	TryLock(l *SpinLock) bool
	Unlock(l *SpinLock)
	// RWLock waits until l is this thread's in the given mode, sleeping.
	RWLock(l *RWMutex, write bool)
	RWUnlock(l *RWMutex, write bool)

	// Work spends processor time on the thread's core.
	Work(d time.Duration)
	// Sleep gives the core up for a time.
	Sleep(d time.Duration)
	// Yield lets other threads of this core run.
	Yield()
	// CanSpin reports whether a sleeping lock's waiter should spin a little
	// before it sleeps.
	CanSpin() bool
	// Operations is how many operations on words, lines and locks the thread has
	// made.
	Operations() uint64
	// Now is the time since the machine was started.
	Now() time.Duration

	// Enter and Leave bracket a named section of the call path.
	Enter(s *Section)
	Leave()

	// IRQSave turns interrupts of this core off and reports whether they were
	// off already; IRQRestore takes that report back.
	IRQSave() bool
	IRQRestore(wasOff bool)

	// Wait gives the core up until c has a completion to take; Complete leaves
	// one there and makes its waiter runnable.
	Wait(c *Completion)
	Complete(c *Completion)

	// Arm sets a timer to fire d from now, in place of any earlier deadline.
	Arm(tm *Timer, d time.Duration)
	// Disarm reports whether the timer was armed and will now not fire.
	Disarm(tm *Timer) bool
	// Raise makes an interrupt pending on a core.
	Raise(q *IRQ, core int)
}
