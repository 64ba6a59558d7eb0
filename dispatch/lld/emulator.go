package lld

import (
	"sync"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// emulator is the thread of the host computer that plays the adapter: it
// serves one command at a time, in order.
type emulator struct {
	h                *dispatch.Host
	mu               sync.Mutex    //lab:free the disk is hardware
	busy             time.Duration // what commands of the window needed
	n                int64
	free             time.Duration // when it has done what it was given
	command, element time.Duration
	mb               float64 // ns
	over             int
	overCost         float64 // ns, times the square of the elements
}

func newEmulator(h *dispatch.Host, p *param.Set) *emulator {
	return &emulator{
		h:       h,
		command: p.Duration("megasas.host_command"), element: p.Duration("megasas.host_element"),
		mb: float64(p.Duration("megasas.disk_mb")), over: p.Int("megasas.over_elements"),
		overCost: float64(p.Duration("megasas.over_cost")),
	}
}

// takes says how long from now a command will need.
func (e *emulator) takes(t *machine.Thread, rq *dispatch.Request) time.Duration {
	n := rq.Segments
	need := e.command + time.Duration(n)*e.element + time.Duration(e.mb*float64(rq.Bytes())/(1<<20))
	if n > e.over {
		need += time.Duration(e.overCost * float64(n) * float64(n))
	}
	now := t.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.h.InWindow() {
		e.busy += need
		e.n++
	}
	e.free = max(e.free, now) + need
	return e.free - now
}

// service is what it did, for all devices of its host one at a time.
func (e *emulator) service() tally.Service {
	return tally.Service{Commands: e.n, Busy: e.busy, Channels: 1, Shared: true}
}

// count is one of a driver's own counts.
//
//lab:free an instrument
type count struct{ n atomic.Int64 }

func (c *count) add(n int) { c.n.Add(int64(n)) }
