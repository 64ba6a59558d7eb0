package explore

import "hostlock/machine"

// Levels of what interrupts a core's threads.
const (
	levelSoft = iota
	levelHard
	levels
)

// core says who may run where. Threads of one core take turns at any point,
// unless one of them has interrupts off or holds a spinlock, which keeps the
// others out; a handler keeps all of them out until it ends.
type core struct {
	id      int
	pin     *proc // the thread that cannot be preempted by another
	active  [levels]*proc
	handler [levels]*proc
	pending [levels][]cause
}

// cause is why a handler runs.
type cause struct {
	irq   *irq
	timer *machine.Timer
	from  uint64 // the history of whoever caused it
}

// irq is an interrupt's state on this machine.
type irq struct {
	object
	q       *machine.IRQ
	pending uint64 // a bit a core
}

// begins reports whether a handler of a level can begin on the core now.
func (c *core) begins(l int) bool {
	if len(c.pending[l]) == 0 || c.active[levelHard] != nil || c.pin != nil && c.pin.irqOff {
		return false
	}
	if s := c.active[levelSoft]; s != nil {
		return l == levelHard && !s.irqOff
	}
	return true
}

func (c *core) pend(l int, why cause) {
	c.pending[l] = append(c.pending[l], why)
	h := c.handler[l]
	h.setHash(mix(h.hash, why.from))
	h.m.dirty = true
}

// repin says anew whether p keeps other threads off its core.
func (p *proc) repin() {
	if p.kind != kindThread {
		return
	}
	if p.irqOff || len(p.held) > 0 {
		p.core.pin = p
	} else if p.core.pin == p {
		p.core.pin = nil
	}
	p.m.dirty = true
}
