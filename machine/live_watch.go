package machine

import (
	"fmt"
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
	top := time.Duration(0)
	for pid, p := range end.processes {
		// A process that was not there before has used all its time since.
		used := p.used - w.total.processes[pid].used
		if used > top {
			top, n.Top = used, fmt.Sprintf("%s (process %d)", p.name, pid)
		}
	}
	n.TopCPU = top.Seconds() / watched.Seconds()
	return n
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
