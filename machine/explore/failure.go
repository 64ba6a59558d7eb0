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
	// Alone says that the schedule ran on a system of its own.
	Alone bool
	// Changed says that the steps are others than those of the finding that was
	// replayed: the program has changed since.
	Changed bool
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
	// Before and After are what a word held before the operation and after it,
	// where Word is set.
	Word          bool
	Before, After uint64
	// Shared says that another agent uses the object in this schedule, too.
	Shared bool
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

// object is what the step is about, with what a word holds.
func (s *Step) object() string {
	switch {
	case !s.Word:
		return s.Object
	case s.Before == s.After:
		return fmt.Sprintf("%s = %d", s.Object, s.After)
	}
	return fmt.Sprintf("%s: %d -> %d", s.Object, s.Before, s.After)
}

// share marks the steps on objects that more than one agent uses.
func share(trace []Step) {
	users := map[string]string{}
	const several = "\x00"
	for i := range trace {
		if s := &trace[i]; users[s.Object] == "" {
			users[s.Object] = s.Agent
		} else if users[s.Object] != s.Agent {
			users[s.Object] = several
		}
	}
	for i := range trace {
		s := &trace[i]
		s.Shared = s.Object != "" && users[s.Object] == several
	}
}

// A printed schedule that is longer than printed has its middle left out.
const printed = 400

// Print writes the failure and its schedule, agent by agent: the steps that show
// picks, all where it is nil. Steps keep their numbers. What repeats is told once.
func (f *Failure) Print(w io.Writer, show func(*Step) bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Kind, f.What)
	var picked []int
	for i := range f.Trace {
		if show == nil || show(&f.Trace[i]) {
			picked = append(picked, i)
		}
	}
	of := ""
	if len(picked) < len(f.Trace) {
		of = fmt.Sprintf(", %d of them below (--full shows all)", len(picked))
	}
	fmt.Fprintf(&b, "schedule %s: %d operations%s, %d chosen switches\n", f.Schedule, f.Steps, of, f.Switches)
	agent := ""
	for i := 0; i < len(picked); {
		if out := len(picked) - printed; out > 0 && i == printed/2 {
			fmt.Fprintf(&b, "... %d operations left out ...\n", out)
			agent = ""
			i += out
		}
		period, rounds := f.repeats(picked[i:])
		for _, n := range picked[i : i+period] {
			s := &f.Trace[n]
			if s.Agent != agent {
				agent = s.Agent
				fmt.Fprintf(&b, "%s\n", agent)
			}
			fmt.Fprintf(&b, "%6d  %-16s %-28s %s\n", n+1, s.Op, s.object(), s.where())
		}
		if rounds > 1 {
			fmt.Fprintf(&b, "        ... and the same %d times more ...\n", rounds-1)
			agent = ""
		}
		i += period * rounds
	}
	if f.Stack != "" {
		fmt.Fprintf(&b, "\n%s", f.Stack)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// maxPeriod and minRounds say what counts as a repetition: fewer steps a round,
// and as many rounds.
const maxPeriod, minRounds = 64, 3

// repeats finds how many rounds of how many steps the list begins with: 1, 1
// where nothing repeats. Values do not count: a loop may count something.
func (f *Failure) repeats(list []int) (period, rounds int) {
	same := func(a, b int) bool {
		x, y := f.Trace[a], f.Trace[b]
		x.Before, x.After, y.Before, y.After = 0, 0, 0, 0
		return x == y
	}
	for period := 1; period <= maxPeriod && minRounds*period <= len(list); period++ {
		n := period
		for n < len(list) && same(list[n], list[n-period]) {
			n++
		}
		if rounds := n / period; rounds >= minRounds {
			return period, rounds
		}
	}
	return 1, 1
}
