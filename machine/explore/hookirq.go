package explore

import (
	"time"

	"hostlock/machine"
)

// IRQSave implements machine.Hook. An interrupt may still begin just before.
func (p *proc) IRQSave() bool {
	if p.irqOff || p.kind == kindDevice {
		return p.irqOff
	}
	p.at(op{kind: opIRQSave, obj: &p.core.irqs})
	p.did(opIRQSave)
	p.m.uses(&p.core.irqs, true)
	p.irqOff, p.glued = true, true
	p.repin()
	return false
}

// IRQRestore implements machine.Hook. What is pending may begin from here on.
func (p *proc) IRQRestore(off bool) {
	if p.irqOff == off || p.kind == kindDevice {
		return
	}
	if p.kind == kindHard && !off {
		p.fail(InterruptSafety, "%s turns interrupts on within a hardware interrupt", p.name)
	}
	p.did(opIRQRestore)
	p.irqOff = off
	if off {
		p.m.uses(&p.core.irqs, true)
	}
	p.repin()
}

// Arm implements machine.Hook: from here on the timer may fire.
func (p *proc) Arm(tm *machine.Timer, _ time.Duration) {
	t := p.m.timerOf(tm)
	o := &t.self
	p.at(op{kind: opArm, obj: o})
	p.used(opArm, o)
	p.tells(&o.known)
	t.armed = true
	if p.core != nil {
		t.core = p.core
	} else if t.core == nil {
		t.core = p.m.cores[0]
	}
	t.SetCore(t.core.id)
	p.m.dirty = true
}

// Disarm implements machine.Hook. As the kernel's, it orders what was done
// before the timer was armed, or fired, before what comes now.
func (p *proc) Disarm(tm *machine.Timer) bool {
	t := p.m.timerOf(tm)
	o := &t.self
	p.at(op{kind: opDisarm, obj: o})
	p.used(opDisarm, o)
	p.learns(o.known)
	p.tells(&o.known)
	was := t.armed
	t.armed = false
	return was
}

// Raise implements machine.Hook.
func (p *proc) Raise(q *machine.IRQ, core int) {
	m := p.m
	ir := m.irqOf(q)
	on := &ir.on[core]
	p.at(op{kind: opRaise, obj: on})
	p.used(opRaise, on)
	p.tells(&on.known)
	if ir.pending&(1<<core) != 0 {
		return
	}
	ir.pending |= 1 << core
	l := levelSoft
	if q.Level() == machine.Hard {
		l = levelHard
	}
	p.pend(m.cores[core], l, cause{irq: ir})
}
