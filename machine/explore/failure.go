package explore

import (
	"fmt"
	"io"
	"strings"
)

// Kind is which check found a failure.
type Kind string

// The checks.
const (
	Check           Kind = "check"            // what the test itself checks
	Deadlock        Kind = "deadlock"         // somebody waits for a lock that is never released
	LostWakeup      Kind = "lost wake-up"     // threads wait, and nothing is left to happen
	NoProgress      Kind = "no progress"      // too many steps, or retry loops that wait for ever
	Exclusion       Kind = "mutual exclusion" // two are in one lock
	Ownership       Kind = "lock ownership"   // released by another than its holder, or never
	LockOrder       Kind = "lock order"       // locks nested the wrong way round
	InterruptSafety Kind = "interrupt safety" // a handler could wait for whom it interrupted
	Sleeping        Kind = "sleeping"         // with interrupts off, under a spinlock, or in a handler
	Race            Kind = "race"             // on plain fields that nothing orders
	Panicked        Kind = "panic"            // of the code under test
)

// Failure is a schedule that goes wrong.
type Failure struct {
	Kind Kind
	What string
	// Schedule repeats it: see Replay.
	Schedule string
	// Index is the number of the schedule that found it, from 0.
	Index int
	// Switches is how many decisions of the schedule differ from the default.
	Switches int
	// Steps is how many operations it has.
	Steps int
	// Trace is every operation, in order.
	Trace []Step
	// Stack is where a panic was.
	Stack string
}

// Error implements error, in one line.
func (f *Failure) Error() string { return string(f.Kind) + ": " + f.What }

// Step is one operation of a schedule.
type Step struct {
	Agent  string
	Op     string
	Object string // class, and number among its class
	Where  string // source file and line
}

// A printed schedule that is longer than printed has its middle left out.
const printed = 2000

// Print writes the failure and its schedule, agent by agent.
func (f *Failure) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Kind, f.What)
	fmt.Fprintf(&b, "schedule %s: %d operations, %d chosen switches\n", f.Schedule, f.Steps, f.Switches)
	agent := ""
	for i, s := range f.Trace {
		if out := len(f.Trace) - printed; out > 0 && i >= printed/2 && i < printed/2+out {
			if i == printed/2 {
				fmt.Fprintf(&b, "... %d operations left out ...\n", out)
				agent = ""
			}
			continue
		}
		if s.Agent != agent {
			agent = s.Agent
			fmt.Fprintf(&b, "%s\n", agent)
		}
		fmt.Fprintf(&b, "%6d  %-16s %-24s %s\n", i+1, s.Op, s.Object, s.Where)
	}
	if f.Stack != "" {
		fmt.Fprintf(&b, "\n%s", f.Stack)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
