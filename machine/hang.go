package machine

import (
	"fmt"
	"runtime"
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
