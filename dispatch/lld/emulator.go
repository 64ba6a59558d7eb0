package lld

import (
	"sync"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/param"
)

// emulator is the thread of the host computer that plays the adapter: it
// serves one command at a time, in order.
type emulator struct {
	mu               sync.Mutex
	free             time.Duration // when it has done what it was given
	command, element time.Duration
	mb               float64 // ns
	over             int
	overCost         float64 // ns, times the square of the elements
}

func newEmulator(p *param.Set) *emulator {
	return &emulator{
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
	e.free = max(e.free, now) + need
	return e.free - now
}

// count is one of a driver's own counts.
type count struct{ n atomic.Int64 }

func (c *count) add(n int) { c.n.Add(int64(n)) }
