// Package sim is the machine in virtual time: any number of cores, in
// sockets, with interrupts, cache lines and locks whose costs come from a
// table.
//
// A thread is a coroutine that really executes the code under study. Before
// each of its operations the hook adds the operation's cost to the thread's
// own clock; where the operation must wait, the coroutine is suspended and the
// event queue decides who runs next. One run is one goroutine's work, so that
// a seed determines every byte of what comes out.
//
// A thread's own clock may be ahead of the machine's by at most the quantum
// of the cost table, so that a handful of nanosecond operations needs one
// event instead of many. Quantum 0 is exact; the difference is measured by a
// test and is below sampling error at the default.
package sim
