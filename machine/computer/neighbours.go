package computer

import (
	"cmp"
	"fmt"
	"slices"
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

// shortWatch is the shortest time over which processor time that the system
// counts in steps of 10 ms says anything.
const shortWatch = 300 * time.Millisecond

// Watch is a look at who used the processors, to be compared with a later one.
type Watch struct {
	at    time.Time
	own   time.Duration
	total systemCPU
}

// StartWatch takes the first look. It reads a small file for each process of
// the system: do it outside the measured time.
func StartWatch() *Watch {
	w := &Watch{at: time.Now(), total: readSystemCPU()}
	w.own, _ = ProcessCPU()
	return w
}

// Stop takes the second look.
func (w *Watch) Stop() Neighbours {
	own, ok := ProcessCPU()
	end, watched := readSystemCPU(), time.Since(w.at)
	n := Neighbours{Watched: watched}
	if !ok || !end.known || !w.total.known || watched < shortWatch {
		return n
	}
	n.Known = true
	n.CPU = max((end.busy-w.total.busy-(own-w.own)).Seconds()/watched.Seconds(), 0)
	n.name(w.total.processes, end.processes)
	return n
}

// name fills in who took the time, by what each process had used before and
// after.
func (n *Neighbours) name(before, after map[int]processUse) {
	type user struct {
		pid  int
		used time.Duration
	}
	var users []user
	for pid, p := range after {
		// A process that was not there before has used all its time since.
		if used := p.used - before[pid].used; used > 0 {
			users = append(users, user{pid, used})
		}
	}
	slices.SortFunc(users, func(a, b user) int { return cmp.Or(cmp.Compare(b.used, a.used), cmp.Compare(a.pid, b.pid)) })
	const enough = 3
	for i, u := range users[:min(len(users), enough)] {
		name, cpu := fmt.Sprintf("%s (process %d)", after[u.pid].name, u.pid), u.used.Seconds()/n.Watched.Seconds()
		switch {
		case i == 0:
			n.Top, n.TopCPU = name, cpu
		case cpu > NeighbourLimit:
			n.Next = append(n.Next, fmt.Sprintf("%s with %.2f", name, cpu))
		}
	}
}

// systemCPU is what the whole system has used so far.
type systemCPU struct {
	known     bool
	busy      time.Duration
	processes map[int]processUse // all but this one
}

type processUse struct {
	name string
	used time.Duration
}
