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

	// What steps depend on of a core: whether interrupts are on, whether somebody
	// keeps the others out, what is pending.
	irqs, pins object
	queue      [levels]object
}

// cause is why a handler runs.
type cause struct {
	irq   *irq
	timer *proc
}

// irq is an interrupt's state on this machine.
type irq struct {
	q       *machine.IRQ
	on      []object // by core
	pending uint64   // a bit a core
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

// pend has p make a handler pending.
func (p *proc) pend(c *core, l int, why cause) {
	c.pending[l] = append(c.pending[l], why)
	p.follows(opRaise, &c.queue[l])
	p.m.dirty = true
}

// needsCore books that p could only go on since no handler was active and nobody
// kept it out. That a handler ends, or lets it in, is no use of the core: before
// that p could do nothing that comes before it.
func (p *proc) needsCore() {
	if p.kind == kindThread || p.kind == kindSoft {
		p.m.needs(&p.core.pins)
	}
}

// repin says anew whether p keeps other threads off its core.
func (p *proc) repin() {
	if p.kind != kindThread {
		return
	}
	if p.irqOff || len(p.held) > 0 {
		if p.core.pin != p {
			p.core.pin = p
			p.m.uses(&p.core.pins, true)
		}
	} else if p.core.pin == p {
		p.core.pin = nil
	}
	p.m.dirty = true
}
