// Package machine is the seam between code under study and the machine it
// runs on.
//
// Path, strategy, driver and workload code is written once, against the
// concrete types of this package, and runs on three machines:
//
//   - live: real goroutines, real atomics, this computer's cores (this
//     package, [NewLive]);
//   - sim: virtual time on any number of cores, costs from a table
//     (package machine/sim);
//   - explore: no time at all, every operation a scheduling point
//     (package machine/explore).
//
// The rule that makes the three agree: every operation really happens, on
// every machine; the machine only decides, just before it, what it costs and
// who runs next. A [Word] operation calls the hook and then executes the
// atomic. A [SpinLock] acquisition lets the hook do the waiting and then takes
// the lock for real, which must succeed.
//
// The whole mechanism is one field: [Thread] carries a [Hook] that is nil on
// the live machine. A nil check that the processor predicts is all that the
// measured path pays for being explorable.
package machine
