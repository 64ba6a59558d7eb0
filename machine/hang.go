package machine

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Hang is a thread that has not come back to its machine.
type Hang struct {
	Code   string // whose, as in "strategy ring"
	Where  string // as in "scenario plain"; may be empty
	Thread string
	For    time.Duration
	Stack  string // of the goroutine, and of others that are no less suspect
}

// String is the report, in lines.
func (h *Hang) String() string {
	where := ""
	if h.Where != "" {
		where = ", in " + h.Where
	}
	return fmt.Sprintf("\n%s has not come back to the machine for %v: thread %s%s\n"+
		"why it may be: blocking and waiting go through machine.SpinLock, Word and Relax only; sync.Mutex, channels and bare loops are not seen by the machine\n"+
		"where it is:\n%s\n", h.Code, h.For, h.Thread, where, h.Stack)
}

// stacksWithin is the stacks of the goroutines that are within a function, and
// not suspended as coroutines.
func stacksWithin(function string) string {
	buf := make([]byte, 1<<22)
	all := string(buf[:runtime.Stack(buf, true)])
	var out []string
	for _, g := range strings.Split(all, "\n\n") {
		head, _, _ := strings.Cut(g, "\n")
		if strings.Contains(g, "\n"+function+"(") && !strings.Contains(head, "[coroutine") {
			out = append(out, strings.TrimSpace(g))
		}
	}
	return strings.Join(out, "\n\n")
}

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
