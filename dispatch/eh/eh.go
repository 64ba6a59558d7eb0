// Package eh has the words of error handling: its levels, what a driver
// answers to a timeout, and what was counted.
package eh

import (
	"fmt"
	"strings"
)

// Level is a stage of error handling, from the mildest.
type Level uint8

const (
	CommandAbort Level = iota
	DeviceReset
	TargetReset
	BusReset // a host has one bus here
	HostReset
	// Levels is how many there are.
	Levels = iota
)

var levelNames = [...]string{"abort", "device", "target", "bus", "host"}

func (l Level) String() string { return levelNames[l] }

// Answer is what becomes of a command whose time is over
// (enum blk_eh_timer_return).
type Answer uint8

const (
	NotHandled Answer = iota // the error handler gets it
	ResetTimer               // it gets its time once more
	Handled                  // the driver has ended it, and has set its Result
)

// Counts is what error handling did in the whole run, over all hosts.
type Counts struct {
	TimedOut   int64 // commands whose timer won, and that the handler got
	Extended   int64 // times that the driver let a command have its time once more
	Senses     int64 // REQUEST SENSE sent
	Starts     int64 // START UNIT sent
	Late       int64 // of them, completed by the driver all the same
	Retried    int64 // put back into their queue by the handler
	GaveUp     int64 // finished by it, as timed out
	Offlined   int64 // devices
	Recoveries int64 // times that a host was brought back
	Injected   int64 // second completions that a driver was told to make, and that did nothing
	// Stages has how often each was tried: aborts of commands, including that of
	// a TEST UNIT READY, then resets, by Level.
	Stages [Levels]int64
}

// Notes says what error handling did, in a line; nil where it did nothing.
func (c Counts) Notes() []string {
	var parts []string
	add := func(n int64, one, many string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 0:
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(c.TimedOut, "command timed out", "commands timed out")
	add(c.Extended, "got its time once more", "got their time once more")
	add(c.Recoveries, "recovery", "recoveries")
	add(c.Retried, "command was tried again", "commands were tried again")
	add(c.GaveUp, "given up", "given up")
	add(c.Senses, "time asked for sense data", "times asked for sense data")
	add(c.Starts, "time START UNIT", "times START UNIT")
	add(c.Stages[CommandAbort], "abort", "aborts")
	for l := DeviceReset; l <= HostReset; l++ {
		add(c.Stages[l], l.String()+" reset", l.String()+" resets")
	}
	add(c.Offlined, "device went offline", "devices went offline")
	if parts == nil {
		return nil
	}
	return []string{"error handling, in the whole run: " + strings.Join(parts, ", ")}
}
