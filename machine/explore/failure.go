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
	Where  Place  // in the code under test
	// Verb is which call of the code under test the operation belongs to, and Via
	// the place in it: see Config.Caller. Both are empty where there is none.
	Verb string
	Via  Place
}

// where is the place, and behind it the verb that led there.
func (s *Step) where() string {
	switch {
	case s.Verb == "":
		return s.Where.String()
	case s.Via == s.Where:
		return fmt.Sprintf("%v (%s)", s.Where, s.Verb)
	}
	return fmt.Sprintf("%v (%s %v)", s.Where, s.Verb, s.Via)
}

// A printed schedule that is longer than printed has its middle left out, and
// one without progress all rounds of its loop but the first, unless these are
// at most rounds operations.
const printed, rounds = 2000, 100

// once is how many steps there are up to the last that is not like one before:
// what comes then has all been seen.
func once(trace []Step) int {
	n, seen := 0, make(map[Step]bool, len(trace))
	for i, s := range trace {
		if !seen[s] {
			seen[s], n = true, i+1
		}
	}
	return n
}

// Print writes the failure and its schedule, agent by agent.
func (f *Failure) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Kind, f.What)
	fmt.Fprintf(&b, "schedule %s: %d operations, %d chosen switches\n", f.Schedule, f.Steps, f.Switches)
	agent, trace := "", f.Trace
	if n := once(trace); f.Kind == NoProgress && len(trace)-n > rounds {
		trace = trace[:n]
	}
	for i, s := range trace {
		if out := len(trace) - printed; out > 0 && i >= printed/2 && i < printed/2+out {
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
		fmt.Fprintf(&b, "%6d  %-16s %-24s %s\n", i+1, s.Op, s.Object, s.where())
	}
	if again := len(f.Trace) - len(trace); again > 0 {
		fmt.Fprintf(&b, "... repeats: the other %d operations are like some of these ...\n", again)
	}
	if f.Stack != "" {
		fmt.Fprintf(&b, "\n%s", f.Stack)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
