package machine

import (
	"fmt"
	"time"
)

// NeighbourLimit is the share of one processor that other processes may take
// before waits measured by the clock can no longer be trusted: a spinner or a
// holder that was preempted looks like a long wait. (At 0.05 the clock said
// 31 % where a CPU profile said 24.)
const NeighbourLimit = 0.03

// Neighbours is the processor time that others took while we measured.
type Neighbours struct {
	Known   bool    // false where the system does not say, or the time was too short
	CPU     float64 // in processors: 0.5 is half of one; the hypervisor's share included
	Top     string  // the process that took most, its name and number; "" where none was seen
	TopCPU  float64
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

// Warning is a line that says why measured waits are doubtful, or "".
func (n Neighbours) Warning() string {
	if !n.Known || n.CPU <= NeighbourLimit {
		return ""
	}
	return fmt.Sprintf("%s; above %.2f, waits measured by the clock are too long: trust the CPU profile, or measure again on a quiet computer",
		n.String(), NeighbourLimit)
}
