package fio

import (
	"sync"

	"hostlock/machine"
)

// gate lets jobs begin in their order: those behind a stonewall once all before
// them have ended, one that waits for another once that has.
type gate struct {
	mu      sync.Mutex
	jobs    []gated
	waiting map[*thread]bool
	repeat  bool
	over    bool // nobody begins any more
	rounds  int
	stop    func()
}

// gated is one job at the gate.
type gated struct {
	after []int // jobs that must have ended
	want  int   // clones
	ended int
	round int // that it is in
}

func newGate(w *load, clones []*clone, repeat bool, stop func()) *gate {
	g := &gate{waiting: map[*thread]bool{}, repeat: repeat, stop: stop, jobs: make([]gated, len(w.jobs))}
	index := map[*job]int{}
	wall := 0 // jobs before it must have ended
	for i, j := range w.jobs {
		index[j] = i
		if j.stonewall {
			wall = i
		}
		for k := range i {
			if k < wall || j.waitFor != "" && w.jobs[k].name == j.waitFor {
				g.jobs[i].after = append(g.jobs[i].after, k)
			}
		}
	}
	for _, c := range clones {
		g.jobs[index[c.job]].want++
	}
	return g
}

// may reports whether a job's clone may begin a round; called with mu held.
func (g *gate) may(i, round int) bool {
	if round != g.rounds {
		return false
	}
	for _, k := range g.jobs[i].after {
		if g.jobs[k].ended < g.jobs[k].want {
			return false
		}
	}
	return true
}

// enter waits until a thread may begin, and reports whether it may at all. Who
// waits is woken by leave or by release.
func (g *gate) enter(t *machine.Thread, th *thread) bool {
	for {
		g.mu.Lock()
		over, may := g.over, g.may(th.job, th.round)
		if !over && !may {
			g.waiting[th] = true
		}
		g.mu.Unlock()
		if over || may {
			return !over
		}
		th.start.Wait(t)
	}
}

// leave ends a thread's round.
func (g *gate) leave(t *machine.Thread, th *thread, everything []*thread) {
	g.mu.Lock()
	th.round++
	g.jobs[th.job].ended++
	all := true
	for i := range g.jobs {
		all = all && g.jobs[i].ended >= g.jobs[i].want
	}
	switch {
	case all && g.repeat:
		g.rounds++
		for i := range g.jobs {
			g.jobs[i].ended = 0
		}
	case all:
		g.over = true
		g.stop()
	}
	wake := g.ready(everything)
	g.mu.Unlock()
	for _, w := range wake {
		w.start.Complete(t)
	}
}

// ready takes the threads out that need wait no longer, in their order.
func (g *gate) ready(everything []*thread) []*thread {
	var out []*thread
	if len(g.waiting) == 0 {
		return nil
	}
	for _, th := range everything {
		if g.waiting[th] && (g.over || g.may(th.job, th.round)) {
			delete(g.waiting, th)
			out = append(out, th)
		}
	}
	return out
}

// release lets everybody go, at the end of the run.
func (g *gate) release(t *machine.Thread, everything []*thread) {
	g.mu.Lock()
	g.over = true
	wake := g.ready(everything)
	g.mu.Unlock()
	for _, w := range wake {
		w.start.Complete(t)
	}
}
