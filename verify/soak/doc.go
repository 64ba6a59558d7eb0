// Package soak runs one strategy for as many commands as it is asked to, with
// faults on and error handling at work, on real cores or in virtual time. It
// checks that the ledger closes, that limits held, and that memory stays flat.
//
// Where package verify looks at every order of a few commands, this looks for
// what takes long to show: a slot that leaks once in a million commands, a list
// that grows, a recovery that leaves something behind.
package soak
