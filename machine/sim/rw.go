package sim

import (
	"time"

	"hostlock/machine"
)

// rwlock is a sleeping reader-writer lock: first come, first served, readers
// that are next to each other together.
type rwlock struct {
	class   int32
	line    machine.Line
	writer  bool
	readers int
	queue   fifo[rwWaiter]
}

type rwWaiter struct {
	p     *proc
	write bool
}

func (s *Sim) rwOf(l *machine.RWMutex) *rwlock {
	if l.Slot == 0 {
		s.rws = append(s.rws, &rwlock{class: s.class(l.Class()), line: machine.Line{Class: l.Class()}})
		l.Slot = len(s.rws) - 1
	}
	return s.rws[l.Slot]
}

// RWLock implements machine.Hook.
func (p *proc) RWLock(l *machine.RWMutex, write bool) {
	p.ops++
	lk := p.s.rwOf(l)
	p.access(&lk.line, machine.OpRMW)
	p.sync()
	if !lk.writer && lk.queue.len() == 0 && (!write || lk.readers == 0) {
		lk.take(write)
		return
	}
	lk.queue.push(rwWaiter{p, write})
	p.block(l.Class())
}

// RWUnlock implements machine.Hook.
func (p *proc) RWUnlock(l *machine.RWMutex, write bool) {
	lk := p.s.rwOf(l)
	p.access(&lk.line, machine.OpRMW)
	p.sync()
	if write {
		lk.writer = false
	} else {
		lk.readers--
	}
	for lk.queue.len() > 0 && !lk.writer {
		next := lk.queue.items[lk.queue.head]
		if next.write && lk.readers > 0 {
			break
		}
		lk.queue.pop()
		lk.take(next.write)
		p.s.wake(next.p, p.t, p.core)
	}
}

func (lk *rwlock) take(write bool) {
	if write {
		lk.writer = true
	} else {
		lk.readers++
	}
}

// Wait implements machine.Hook.
func (p *proc) Wait(c *machine.Completion) {
	if c.Done() > 0 {
		p.settle()
		return
	}
	p.sync()
	for c.Done() == 0 {
		w := p.s.waiterOf(c)
		if *w != nil {
			panic("sim: two threads wait for one completion")
		}
		*w = p
		p.block("a completion")
	}
}

// Complete implements machine.Hook.
func (p *proc) Complete(c *machine.Completion) {
	w := p.s.waiterOf(c)
	if q := *w; q != nil {
		*w = nil
		p.s.wake(q, p.t, p.core)
	}
}

func (s *Sim) waiterOf(c *machine.Completion) **proc {
	if c.Slot == 0 {
		s.waiting = append(s.waiting, nil)
		c.Slot = len(s.waiting) - 1
	}
	return &s.waiting[c.Slot]
}

// Sleep implements machine.Hook.
func (p *proc) Sleep(d time.Duration) {
	p.sync()
	p.s.q.push(event{at: p.t + int64(d), id: int32(p.ID())}, evWake)
	p.block("a sleep")
}
