package sim

import (
	"time"

	"hostlock/machine"
)

type timer struct {
	tm    *machine.Timer
	armed bool
	gen   uint32
	core  int
	root  *node // where its function's calls begin
}

type irq struct {
	q       *machine.IRQ
	pending []bool // by core
	root    *node
}

func (s *Sim) timerOf(tm *machine.Timer) *timer {
	if tm.Slot == 0 {
		s.timers = append(s.timers, timer{tm: tm, root: s.root(tm.Name())})
		tm.Slot = len(s.timers) - 1
	}
	return &s.timers[tm.Slot]
}

// Arm implements machine.Hook.
func (p *proc) Arm(tm *machine.Timer, d time.Duration) {
	t := p.s.timerOf(tm)
	was := t.armed
	t.armed, t.core = true, p.Core()
	t.gen++
	p.s.q.push(event{at: max(p.t, p.s.now) + int64(max(d, 0)), id: int32(tm.Slot), gen: t.gen}, evTimer)
	if was {
		p.s.voided()
	}
}

// Disarm implements machine.Hook.
func (p *proc) Disarm(tm *machine.Timer) bool {
	t := p.s.timerOf(tm)
	was := t.armed
	t.armed = false
	t.gen++
	if was {
		p.s.voided()
	}
	return was
}

// fire is a timer's time.
func (s *Sim) fire(slot int) {
	t := &s.timers[slot]
	t.armed = false
	if t.tm.Level() == machine.Device {
		s.device.t = s.now
		s.device.SetCore(t.core)
		s.pulse.Runs(nil) // no thread's
		t.tm.Func()(&s.device.Thread)
		return
	}
	s.cores[t.core].arrive(levelSoft, cause{timer: t.tm})
}

// Raise implements machine.Hook.
func (p *proc) Raise(q *machine.IRQ, core int) {
	s := p.s
	if q.Slot == 0 {
		root := s.root(q.Name())
		root.hard = q.Level() == machine.Hard
		s.irqs = append(s.irqs, irq{q: q, pending: make([]bool, len(s.cores)), root: root})
		q.Slot = len(s.irqs) - 1
	}
	ir := &s.irqs[q.Slot]
	if ir.pending[core] {
		return
	}
	ir.pending[core] = true
	switch {
	case p.level == levelDevice:
		s.arriveIRQ(q.Slot, core)
	case core == p.core.id:
		p.core.pend(levelOf(q), cause{irq: q})
		p.settle()
	default:
		s.q.push(event{at: p.t + int64(s.cost.IPI), id: int32(q.Slot), gen: uint32(core)}, evIRQ)
	}
}

func (s *Sim) arriveIRQ(slot, core int) {
	q := s.irqs[slot].q
	s.cores[core].arrive(levelOf(q), cause{irq: q})
}

func levelOf(q *machine.IRQ) int8 {
	if q.Level() == machine.Hard {
		return levelHard
	}
	return levelSoft
}
