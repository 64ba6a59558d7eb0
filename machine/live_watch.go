package machine

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

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
	w.own, _ = processCPU()
	return w
}

// Stop takes the second look.
func (w *Watch) Stop() Neighbours {
	own, ok := processCPU()
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
