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
// None has a cost of its own: see dispatch.Strategy. What a machine charges is
// the locks, words and lines that a strategy uses.
package strategies
