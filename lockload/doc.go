// Package lockload runs the bare load of a lock: threads that think, take the lock,
// hold it, and release it. It needs package machine alone, a design of package
// designs, and a kind of package locks.
//
//	Config  ->  Run  ->  Point  ->  Answer (in words)
package lockload
