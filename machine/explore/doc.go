// Package explore is the machine without time: it runs the same code under
// one order of operations after another and looks for an order in which it
// goes wrong.
//
// Every lock and Word operation, every park and wake, is a scheduling point,
// at which the scheduler says whose operation comes next: a thread's, a
// handler's, whose interrupt may begin wherever interrupts are on, or an armed
// timer's, which may fire at any point. Work costs nothing. Only one coroutine
// runs at a time, so an order of operations is a list of decisions, derives
// from a seed, and can be repeated.
//
// Go's atomics are sequentially consistent, so that exploring sequentially
// consistent orders is exact for code without data races. Plain fields that
// Thread.Touch and Thread.Look stand for are no scheduling points; instead each
// use must be ordered, by locks, words, completions, timers, interrupts or the
// making of a thread, with every use of the same line by another agent where
// one of the two writes. Vector clocks say whether it is, in whatever order the
// schedule happens to have them; where it is not, that is a finding. Lines are
// what the owner of the data declares: one that holds fields which the kernel,
// or hardware, uses in any order is Unordered. Plain fields that nobody declared
// are for the race detector to find, on the live machine; here it proves
// nothing, since each switch of a coroutine orders all that came before it.
//
// What is checked without being asked for: mutual exclusion, the order in
// which locks nest, interrupt safety, sleeping where that is forbidden,
// deadlock, lost wake-ups, progress, races, panics. What a test knows beyond
// that it checks itself when the threads have ended.
//
// An exhaustive run goes through all orders within a bound on preemptions, but
// for those that equal one that it runs: the comment at search says what equal
// is, and why nothing is lost. It is as good as what the machine is told. Agents
// that tell each other something by other means, such as a sync/atomic counter
// or a list under a sync.Mutex, must say so with Thread.Note, or orders that
// differ in nothing else are taken for equal. So are orders that differ in how
// many operations others made before one asks for the time, which here is a
// count of them. In the mid-layer four things are not noted: what is only summed
// up in the end; the numbers that requests get when they are made, which are
// nothing but names; whether a request that its issuer takes up again has left the
// path, which matters from the fifth command of a thread on; and limits that
// follow what a device says (midlayer.track_queue_depth, a driver's can_queue).
package explore
