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
	c := &Counter{limit: uint64(limit)}
	if limit <= 0 {
		c.limit = math.MaxUint64
	}
	c.busy.Init(machine.NewLine(class), 0)
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

// gate is what may stop a host that has slots: its state, being blocked by the
// driver's answer, or by itself. The words are written rarely and share one
// line, so that every core can keep it.
type gate struct {
	h       *dispatch.Host
	_       [64]byte
	blocked machine.Word // host_blocked
	self    machine.Word // host_self_blocked
	_       [64]byte
}

func (g *gate) init(h *dispatch.Host) {
	g.h = h
	line := machine.NewLine("host_flags")
	g.blocked.Init(line, 0)
	g.self.Init(line, 0)
}

// open reports whether nothing but a lack of slots stops a command.
func (g *gate) open(t *machine.Thread) bool {
	return g.blocked.Load(t) == 0 && g.self.Load(t) == 0 && !g.h.State(t).InRecovery()
}

// pass judges a command that has its slot.
func (g *gate) pass(t *machine.Thread, l aloner) admission {
	if g.h.State(t).InRecovery() {
		return refused // whoever ends recovery runs every queue
	}
	if g.self.Load(t) != 0 {
		return starves
	}
	if g.blocked.Load(t) != 0 {
		if !l.Alone(t) {
			return starves
		}
		if countdown(t, &g.blocked) != 0 {
			return refused
		}
	}
	return admitted
}

// aloner is what pass must ask of a limit.
type aloner interface {
	Alone(t *machine.Thread) bool
}

// admission is what the ready checks of target and host say.
type admission uint8

const (
	admitted admission = iota
	refused            // the plug, or whoever changes the state, sees to it
	starves            // the next that gives a slot back must try this device
)

// clear0 sets a blocked counter to 0 where it is not, and leaves the line
// alone where it is, as since 3.17.
func clear0(t *machine.Thread, w *machine.Word) {
	if w.Load(t) != 0 {
		w.Store(t, 0)
	}
}
