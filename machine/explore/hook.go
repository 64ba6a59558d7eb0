package explore

import (
	"time"

	"hostlock/machine"
)

// at is a scheduling point: it comes back when the operation is to be made.
func (p *proc) at(o op) {
	m := p.m
	if m.unwinding {
		return
	}
	p.op = o
	if n := m.decide(p); n != p {
		m.next = n
		p.suspend()
	}
}

var opOf = [...]opKind{machine.OpLoad: opLoad, machine.OpStore: opStore, machine.OpRMW: opRMW, machine.OpCAS: opCAS}

// Access implements machine.Hook.
func (p *proc) Access(l *machine.Line, _ *machine.Word, k machine.Op) {
	ln := p.m.lineOf(l)
	kind := opOf[k]
	p.m.guard(p, ln)
	p.at(op{kind: kind, obj: &ln.object, ln: ln})
	p.used(kind, &ln.object)
	if kind != opLoad {
		ln.version++
		p.m.writes++
		p.m.dirty = true
	}
	p.look(ln)
}

// look remembers how the line was when the agent last saw it.
func (p *proc) look(ln *line) {
	i := ln.l.Slot
	for len(p.seen) <= i {
		p.seen = append(p.seen, 0)
	}
	p.seen[i] = ln.version
}

// Retry implements machine.Hook: the compare-and-swap changed nothing.
func (p *proc) Retry(w *machine.Word) {
	ln := p.m.lineOf(w.Line())
	ln.version--
	p.m.writes--
	p.look(ln)
}

// Relax implements machine.Hook: the agent waits until the line is another
// than it was when the agent last looked. What it waits for may lie elsewhere,
// and so it goes round again after a while too.
func (p *proc) Relax(w *machine.Word) {
	ln := p.m.lineOf(w.Line())
	seen := ln.version - 1 // never looked at: one turn
	if i := ln.l.Slot; i < len(p.seen) {
		seen = p.seen[i]
	}
	p.at(op{kind: opRelax, obj: &ln.object, ln: ln, seen: seen, at: p.m.steps})
	p.used(opRelax, &ln.object)
	p.look(ln)
}

// Note implements machine.Hook: it is no point at which others come in between,
// but part of the operation before it.
func (p *proc) Note(l *machine.Line) { p.used(opNote, &p.m.lineOf(l).object) }

// Work implements machine.Hook: it costs nothing.
func (p *proc) Work(time.Duration) {}

// Sleep implements machine.Hook: it may take any time, and so others go first
// where the schedule does not say otherwise.
func (p *proc) Sleep(time.Duration) {
	p.mustSleep("sleeps")
	p.at(op{kind: opSleep})
	p.did(opSleep)
	p.m.dirty = true
}

// Yield implements machine.Hook.
func (p *proc) Yield() {
	p.at(op{kind: opYield})
	p.did(opYield)
	p.m.dirty = true
}

// Now implements machine.Hook: a nanosecond a step.
func (p *proc) Now() time.Duration { return time.Duration(p.m.steps) }

// Enter and Leave implement machine.Hook.
func (p *proc) Enter(*machine.Section) {}
func (p *proc) Leave()                 {}

// IRQSave implements machine.Hook. An interrupt may still begin just before.
func (p *proc) IRQSave() bool {
	off := p.irqOff
	if !off {
		p.at(op{kind: opIRQSave})
		p.did(opIRQSave)
		p.irqOff = true
		p.repin()
	}
	return off
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
	p.repin()
}

// Wait implements machine.Hook.
func (p *proc) Wait(c *machine.Completion) {
	p.mustSleep("waits for a completion")
	co := p.m.completionOf(c)
	p.at(op{kind: opWait, obj: &co.object, done: c})
	p.used(opWait, &co.object)
}

// Complete implements machine.Hook.
func (p *proc) Complete(c *machine.Completion) {
	co := p.m.completionOf(c)
	p.at(op{kind: opComplete, obj: &co.object})
	p.used(opComplete, &co.object)
	p.m.dirty = true
}

// Arm implements machine.Hook: from here on the timer may fire.
func (p *proc) Arm(tm *machine.Timer, _ time.Duration) {
	t := p.m.timerOf(tm)
	o := &t.self
	p.at(op{kind: opArm, obj: o})
	p.used(opArm, o)
	if p.m.exhaustive {
		t.setHash(mix(t.hash, p.hash))
	}
	t.armed = true
	if p.core != nil {
		t.core = p.core
	} else if t.core == nil {
		t.core = p.m.cores[0]
	}
	t.SetCore(t.core.id)
	p.m.dirty = true
}

// Disarm implements machine.Hook.
func (p *proc) Disarm(tm *machine.Timer) bool {
	t := p.m.timerOf(tm)
	o := &t.self
	p.at(op{kind: opDisarm, obj: o})
	p.used(opDisarm, o)
	was := t.armed
	t.armed = false
	return was
}

// Raise implements machine.Hook.
func (p *proc) Raise(q *machine.IRQ, core int) {
	m := p.m
	ir := m.irqOf(q)
	p.at(op{kind: opRaise, obj: &ir.object})
	p.used(opRaise, &ir.object)
	if ir.pending&(1<<core) != 0 {
		return
	}
	ir.pending |= 1 << core
	l := levelSoft
	if q.Level() == machine.Hard {
		l = levelHard
	}
	m.cores[core].pend(l, cause{irq: ir, from: p.hash})
}
