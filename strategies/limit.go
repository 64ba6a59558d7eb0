package strategies

import (
	"math"

	"hostlock/dispatch"
	"hostlock/machine"
)

// Limit keeps how many commands a host has at a time, exactly, and without a
// lock. Take and Give may run on any number of cores.
//
// A failed Take may, for a moment, make another Take fail that would have
// succeeded. Whoever fails must therefore look again (Full) after it has made
// known that it waits; whoever gives back looks afterwards for those who wait.
type Limit interface {
	// Take takes a slot and reports whether there was one.
	Take(t *machine.Thread) bool
	// Give gives a slot back.
	Give(t *machine.Thread)
	// Full reports whether a Take now would find nothing.
	Full(t *machine.Thread) bool
	// Alone is asked with one slot taken: whether it is the only one.
	Alone(t *machine.Thread) bool
	// Taken is how many slots are taken: for a moment perhaps more, but never
	// fewer. It is asked while errors are handled, and where the driver has lowered
	// can_queue.
	Taken(t *machine.Thread) int
}

// Counter is the limit of Linux 3.17 [S317]: one atomic, raised first and
// taken back where that was too much. It is exact for what is admitted; it
// overshoots for a moment where it is not.
type Counter struct {
	_     [64]byte
	busy  machine.Word
	_     [64]byte
	limit uint64
}

// NewCounter makes a counter with a limit; 0 or less is unlimited. The class
// names its line.
func NewCounter(class string, limit int) *Counter {
	return NewCounterOn(machine.NewLine(class), limit)
}

// NewCounterOn is NewCounter on a line that others may share.
func NewCounterOn(line *machine.Line, limit int) *Counter {
	c := &Counter{limit: uint64(limit)}
	if limit <= 0 {
		c.limit = math.MaxUint64
	}
	c.busy.Init(line, 0)
	return c
}

func (c *Counter) Take(t *machine.Thread) bool {
	if c.busy.Add(t, 1) <= c.limit {
		return true
	}
	c.busy.Dec(t)
	return false
}
func (c *Counter) Give(t *machine.Thread)       { c.busy.Dec(t) }
func (c *Counter) Full(t *machine.Thread) bool  { return c.busy.Load(t) >= c.limit }
func (c *Counter) Alone(t *machine.Thread) bool { return c.busy.Load(t) == 1 }

// Taken counts what Take raised for a moment, too.
func (c *Counter) Taken(t *machine.Thread) int { return int(c.busy.Load(t)) }

// watched is a limit that is not this package's, with an account of what its Take
// and Full do: see [dispatch.Uses].
type watched struct {
	Limit
	take, full *dispatch.Uses
}

// watch is a limit as it stands where its operations are known, or nothing is
// charged.
func watch(h *dispatch.Host, l Limit) Limit {
	take := h.Uses("Take", l)
	if take == nil {
		return l
	}
	take.Counts = h.Template.CanQueue > 0
	return &watched{Limit: l, take: take, full: h.Uses("Full", l)}
}

func (w *watched) Take(t *machine.Thread) bool {
	before := w.take.Begin(t)
	ok := w.Limit.Take(t)
	w.take.End(t, before, nil, ok)
	return ok
}

func (w *watched) Full(t *machine.Thread) bool {
	before := w.full.Begin(t)
	ok := w.Limit.Full(t)
	w.full.End(t, before, nil, ok)
	return ok
}
