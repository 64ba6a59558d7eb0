// Package vet reads the source of strategies, limits, drivers and designs, and
// says what a machine cannot see of it: locks, atomics, channels, goroutines,
// clocks and random numbers of Go's own, plain fields that nobody declares, and
// operations that are made for show. In virtual time all of that is free, so that
// figures are none, or it stops the machine, or makes it another one every time.
//
// What is read is verb code: the methods of such a type that are given a
// *machine.Thread, functions of that kind beside it (timers, threads that a driver
// starts), and what these call in the same package. What they call in other
// packages counts where it uses something foreign; the lab's own packages machine
// and dispatch are taken to be right, and so is the standard library but for what
// is named.
//
// A use that is meant, such as a counter of the lab's that no host has, is marked
//
//	//lab:free WHY
//
// on its line, on the line before, at the declaration of the field that it uses or
// of that field's type, or in the comment of its function. A mark without a reason
// is a finding.
package vet
