package machine

import (
	"fmt"
	"runtime/debug"
	"time"
)

// Panicked is a panic of the code under study, or of the machine itself, in a
// run: a fault of the program, which voids the run.
type Panicked struct {
	Thread string        // "" where no thread of the machine was running
	At     time.Duration // since the run began, in the experiment's time
	Value  any           // what it panicked with
	Stack  string        // of the goroutine that panicked, as runtime/debug writes it
}

// Caught makes a [Panicked] of what recover returned. It is called by the
// deferred function that recovered, whose stack still has what panicked.
func Caught(thread string, at time.Duration, value any) *Panicked {
	return &Panicked{Thread: thread, At: at, Value: value, Stack: string(debug.Stack())}
}

// What is what happened, in one line.
func (p *Panicked) What() string {
	if p.Thread == "" {
		return fmt.Sprintf("panic: %v", p.Value)
	}
	return fmt.Sprintf("thread %s panicked after %v: %v", p.Thread, p.At, p.Value)
}

// Error is what happened, and the stack in the lines below.
func (p *Panicked) Error() string { return p.What() + "\n" + p.Stack }
