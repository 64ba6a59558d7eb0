// Package machine is the seam between code under study and the machine it
// runs on: live, that is real goroutines and atomics on this computer's cores
// ([NewLive]); virtual time (package machine/sim); or every operation a
// scheduling point (package machine/explore).
//
// What the path uses comes first: [Thread], which is handed down as a context
// is; [Word], [SpinLock] and [Line] for what cores share; [IRQ], [Timer] and
// [Completion]. The rest is for who sets a run up, or makes a machine.
//
// Every operation really happens, on every machine, which only decides, just
// before it, what it costs and who runs next. Thread carries a [Hook] that is
// nil on the live machine: a nil check that the processor predicts is all that
// the measured path pays for being explorable.
package machine
