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
	n := m.decide(p)
	glued := p.glued && n == p
	p.glued = false
	if n != p {
		m.next = n
		p.suspend()
	}
	p.needsCore()
	if !glued {
		m.main = nil
		if o.obj != nil {
			m.main = o.obj.class
		}
	}
}

// Of words, and of plain fields that nothing orders.
var opOf = [...]opKind{machine.OpLoad: opLoad, machine.OpStore: opStore, machine.OpRMW: opRMW, machine.OpCAS: opCAS}

// Access implements machine.Hook.
func (p *proc) Access(l *machine.Line, w *machine.Word, k machine.Op) {
	p.ops++
	m := p.m
	kind := opOf[k]
	var wd *word
	switch {
	case w != nil:
		wd = m.wordOf(w)
	case l.Unordered:
		wd = m.unordered(m.lineOf(l))
	default:
		p.plain(m.lineOf(l), kind != opLoad)
		return
	}
	p.at(op{kind: kind, obj: &wd.object, word: wd})
	p.used(kind, &wd.object)
	if wd.touched = true; m.learning {
		wd.learn()
	}
	m.holds(w)
	if kind != opLoad {
		wd.version++
		m.writes++
		m.dirty = true
	}
	p.look(wd)
	if w == nil {
		return
	}
	switch kind {
	case opLoad:
		p.learns(wd.known)
	case opStore:
		p.tellsAlone(&wd.known)
	case opRMW:
		p.learns(wd.known)
		p.tells(&wd.known)
	case opCAS:
		p.learns(wd.known)
		m.swapped, m.swapper = wd, p
	}
}

// look remembers how the word was when the agent last saw it.
func (p *proc) look(w *word) {
	for len(p.seen) <= w.slot {
		p.seen = append(p.seen, 0)
	}
	p.seen[w.slot] = w.version
}

// Retry implements machine.Hook: the compare-and-swap changed nothing.
func (p *proc) Retry(w *machine.Word) {
	m := p.m
	wd := m.wordOf(w)
	wd.version--
	m.writes--
	m.swapped = nil
	p.look(wd)
	if !m.unwinding {
		p.missed(&wd.object)
		m.holds(w)
	}
}

// Relax implements machine.Hook: the agent waits until the word is another
// than it was when the agent last looked. What it waits for may be elsewhere,
// and so it goes round again after a while too.
func (p *proc) Relax(w *machine.Word) {
	wd := p.m.wordOf(w)
	seen := wd.version - 1 // never looked at: one turn
	if wd.slot < len(p.seen) {
		seen = p.seen[wd.slot]
	}
	p.at(op{kind: opRelax, obj: &wd.object, word: wd, seen: seen, at: p.m.steps})
	p.used(opRelax, &wd.object)
	p.look(wd)
}

// Operations implements machine.Hook.
func (p *proc) Operations() uint64 { return p.ops }

// Note implements machine.Hook: it is no point at which others come in between,
// but part of the operation before it.
func (p *proc) Note(l *machine.Line) {
	if p.m.exhaustive {
		p.used(opNote, p.m.noteOf(l))
	}
}

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

// CanSpin implements machine.Hook: a turn of spinning is an order that another
// schedule has anyway.
func (p *proc) CanSpin() bool { return false }

// Now implements machine.Hook: a nanosecond a step.
func (p *proc) Now() time.Duration { return time.Duration(p.m.steps) }

// Enter and Leave implement machine.Hook.
func (p *proc) Enter(*machine.Section) {}
func (p *proc) Leave()                 {}

// Wait implements machine.Hook.
func (p *proc) Wait(c *machine.Completion) {
	p.mustSleep("waits for a completion")
	co := p.m.completionOf(c)
	p.at(op{kind: opWait, obj: &co.object, done: c})
	p.used(opWait, &co.object)
	p.learns(co.known)
}

// Complete implements machine.Hook.
func (p *proc) Complete(c *machine.Completion) {
	co := p.m.completionOf(c)
	p.at(op{kind: opComplete, obj: &co.object})
	p.used(opComplete, &co.object)
	p.tells(&co.known)
	p.m.dirty = true
}
