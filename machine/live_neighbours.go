package machine

import (
	"fmt"
	"strings"
	"time"
)

// NeighbourLimit is the share of one processor that other processes may take
// before waits measured by the clock can no longer be trusted: a spinner or a
// holder that was preempted looks like a long wait. (At 0.05 the clock said
// 31 % where a CPU profile said 24.)
const NeighbourLimit = 0.03

// DisturbedLimit is the share above which the CPU profile is wrong, too: it sees
// who spins, but not that the holder waits for its processor meanwhile, so that
// a neighbour's time is told as the lock's. A choice, between 0.05, where the
// profile still held, and the half and more of a processor where it no longer did.
const DisturbedLimit = 0.1

// Neighbours is the processor time that others took while we measured.
type Neighbours struct {
	Known   bool    // false where the system does not say, or the time was too short
	CPU     float64 // in processors: 0.5 is half of one; the hypervisor's share included
	Top     string  // the process that took most, its name and number; "" where none was seen
	TopCPU  float64
	Next    []string // those that took most after it, each with its share
	Watched time.Duration
}

// String is one line for a report.
func (n Neighbours) String() string {
	switch {
	case !n.Known:
		return "other processes: unknown"
	case n.Top == "":
		return fmt.Sprintf("other processes: %.2f CPU", n.CPU)
	case n.TopCPU >= n.CPU/2:
		return fmt.Sprintf("other processes: %.2f CPU, most of it %s with %.2f", n.CPU, n.Top, n.TopCPU)
	default: // processes that have ended meanwhile are in the total only
		return fmt.Sprintf("other processes: %.2f CPU, the largest still there %s with %.2f", n.CPU, n.Top, n.TopCPU)
	}
}

// Disturbed reports whether nothing that was measured meanwhile can be trusted.
func (n Neighbours) Disturbed() bool { return n.Known && n.CPU > DisturbedLimit }

// Warning is a line that says why measured waits, or all figures, are doubtful,
// or "".
func (n Neighbours) Warning() string {
	if !n.Known || n.CPU <= NeighbourLimit {
		return ""
	}
	if n.Disturbed() {
		next := ""
		if len(n.Next) > 0 {
			next = ", then " + strings.Join(n.Next, ", ")
		}
		return fmt.Sprintf("DISTURBED: %s%s; above %.2f no figure of this run can be trusted, those of the CPU profile included, since spinners run while a holder waits for its processor: measure again on a quiet computer",
			n.String(), next, DisturbedLimit)
	}
	return fmt.Sprintf("%s; above %.2f, waits measured by the clock are too long: trust the CPU profile, or measure again on a quiet computer",
		n.String(), NeighbourLimit)
}
