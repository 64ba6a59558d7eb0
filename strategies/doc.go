// Package strategies has the ways to synchronise the mid-layer's path, one a
// file. Importing it registers them:
//
//   - host-lock: Linux 2.6.35, four sections of one lock a host in every
//     command, the driver called inside the second;
//   - unlocked-qcmds: the patch of 2010, which drops that lock before the
//     driver is called;
//   - per-queue: a lock a device queue, host limits by a counter;
//   - ring: bounded lock-free rings, no lock at all.
//
// None has a cost of its own: what a machine charges is the locks, words and lines
// that a strategy uses.
//
// To write one, embed [Base], or [Counted] where no lock is over all devices, and
// [Queues] where each device has a lock. A strategy that differs in how it counts
// the host's commands alone is a [Limit] under [NewPerQueue]. What to keep to is in
// package dispatch/contract; package strategytest checks it.
package strategies
