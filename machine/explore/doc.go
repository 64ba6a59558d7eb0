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
// consistent orders is exact for code without data races. Plain fields are
// not scheduling points: a lock that was forgotten shows here only where it
// changes what an atomic or another lock sees. Races on plain fields are for
// the race detector to find, on the live machine; here it proves nothing,
// since each switch of a coroutine orders all that came before it.
//
// What is checked without being asked for: mutual exclusion, the order in
// which locks nest, interrupt safety, sleeping where that is forbidden,
// deadlock, lost wake-ups, progress, panics. What a test knows beyond that it
// checks itself when the threads have ended.
package explore
