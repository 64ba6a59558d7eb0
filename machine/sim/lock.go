package sim

import (
	"time"

	"hostlock/machine"
)

// lock is a spinlock's state on this machine.
type lock struct {
	cls       *lockClass
	class     int32
	ln        *line
	held      bool
	owner     *proc // holder, or the waiter that it was handed to
	lastCore  int
	raceUntil int64 // as of an order: until then cores fight for it
	acquired  int64
	freeAt    int64 // when it was released, which may lie a quantum ahead
	hold      int32 // bucket of the acquisition
	waiters   fifo[waiter]
	area      int64 // waiters x time since the last release
	areaSince int64

	crowd  crowd // who spins on the word with reads
	ring   ring  // who swaps it
	coming coming
	ready  int64 // when the queue's head spins on the word
}

// coming is a hand-over that is under way.
type coming struct {
	p     *proc
	at    int64  // when the lock is p's
	moves bool   // later, where the line takes a write in before p's read
	open  int64  // until then the lock is free, and whoever comes takes it
	w     waiter // p, where the lock is open
}

// later puts off a hand-over that is under way.
func (lk *lock) later(s *Sim, by int64) {
	if c := &lk.coming; c.p != nil && c.moves && by > 0 {
		c.at += by
		s.resumeAt(c.p, c.at)
	}
}

type waiter struct {
	p     *proc
	since int64
	from  int64 // when it is through with its arrival, or with backing off
	back  int64 // how long it last backed off, in pauses; negative while it does
}

// lockClass is what all locks of one class measured.
type lockClass struct {
	stat machine.LockStat
	kind machine.Kind
}

func (s *Sim) lockOf(l *machine.SpinLock) *lock {
	if l.Slot == 0 {
		c := s.class(l.Class())
		s.locks = append(s.locks, &lock{cls: s.classes[c], class: c, lastCore: -1, ln: s.lineOf(l.Line()), crowd: s.newCrowd()})
		l.Slot = len(s.locks) - 1
		if s.classes[c].stat.Class == "" {
			s.classes[c].stat.Class = l.Class()
			s.classes[c].kind = l.Kind()
			s.lockOrder = append(s.lockOrder, c)
		}
		s.classes[c].stat.Locks++
	}
	return s.locks[l.Slot]
}

// Lock implements machine.Hook: the waiting happens here.
func (p *proc) Lock(l *machine.SpinLock) {
	s := p.s
	if p.ops++; p.level == levelDevice {
		panic("sim: a device takes " + l.Class())
	}
	// Arrivals are in time order, or whoever is ahead would queue again before
	// others that came first.
	p.sync()
	lk := s.lockOf(l)
	if p.t < lk.coming.open {
		lk.steal()
	}
	if !lk.held {
		since := p.t
		if lk.freeAt > p.t {
			p.spend(machine.Spinning, lk.class, lk.freeAt-p.t)
		}
		// Held before the access, during which others may run and must queue.
		lk.held, lk.owner = true, p
		p.lockWrite(lk)
		lk.got(p, since, p.t, lk.freeAt > since)
		return
	}
	if lk.owner == p {
		panic("sim: " + p.Name() + " takes " + l.Class() + " twice")
	}
	// The wait begins at the proc's own time, which may be a quantum ahead.
	since := p.t
	// The area counts the waiter from now on, so what lies before is taken off.
	lk.area += int64(lk.waiters.len())*(s.now-lk.areaSince) - (since - s.now)
	lk.areaSince = s.now
	lk.waiters.push(waiter{p: p, since: since, from: s.arrive(lk, p.core, since)})
	p.wait(machine.Spinning, lk.class)
	s.arrived(lk, p.core)
	lk.got(p, since, s.now, true)
}

// got records an acquisition by p at a time, after a wait since another.
func (lk *lock) got(p *proc, since, at int64, contended bool) {
	st := &lk.cls.stat
	bounced := lk.lastCore >= 0 && lk.lastCore != p.core.id
	st.Acquisitions++
	if bounced {
		st.AcqBounces++
	}
	if contended {
		st.Contentions++
		if bounced {
			st.ConBounces++
		}
		st.Wait.Add(time.Duration(at - since))
		st.Within += time.Duration(at - max(since, p.s.began))
	}
	if bounced {
		lk.raceUntil = at + raceQuanta*int64(p.s.cost.Quantum)
	}
	lk.owner, lk.acquired, lk.lastCore = p, at, p.core.id
	p.spinlocks++
	lk.hold = p.holdAt(lk.class)
}

// TryLock implements machine.Hook.
func (p *proc) TryLock(l *machine.SpinLock) bool {
	p.ops++
	lk := p.s.lockOf(l)
	p.sync()
	p.lockWrite(lk)
	if p.t < lk.coming.open {
		lk.steal()
	}
	if lk.held || lk.freeAt > p.t {
		return false
	}
	lk.held = true
	lk.got(p, p.t, p.t, false)
	return true
}

// Unlock implements machine.Hook: it hands the lock to a waiter, where there
// is one, at the cost of the lock's kind.
func (p *proc) Unlock(l *machine.SpinLock) {
	s := p.s
	lk := s.lockOf(l)
	if lk.owner != p || !lk.held {
		panic("sim: " + p.Name() + " releases " + l.Class() + ", which it does not hold")
	}
	// So are releases of a lock that cores fight for: who waits is who came before.
	if lk.raceUntil > s.now || lk.waiters.len() > 0 {
		p.sync()
	}
	p.spinlocks--
	cls := lk.cls
	k := lk.waiters.len()
	// A release is posted: whoever makes it goes on at once.
	at := p.t
	p.use(int64(s.cost.Store))
	cls.stat.Hold.Add(time.Duration(p.t - lk.acquired))
	h := &p.core.holds[lk.hold]
	h.held += p.t - lk.acquired
	h.n++
	lk.area += int64(k) * (p.t - lk.areaSince)
	// Below zero is a waiter whose own time is still to come; it is kept.
	h.blocked += max(lk.area, 0)
	lk.area, lk.areaSince = min(lk.area, 0), p.t
	if k == 0 {
		// Nothing may run between here and the real release, so no settling.
		s.write(lk, p.core, at)
		lk.held, lk.owner, lk.freeAt = false, nil, p.t
		return
	}
	w := s.handOver(lk, p.core, at)
	lk.owner = w
	lk.coming.at = max(p.t, lk.coming.at)
	cls.stat.Handoff += time.Duration(lk.coming.at - p.t)
	h.blocked += lk.coming.at - p.t // the winner's; what the others wait meanwhile is in the next area
	s.resumeAt(w, lk.coming.at)
}

// fifo is a queue that keeps its memory: it is emptied and refilled all run
// long.
type fifo[T any] struct {
	items []T
	head  int
}

func (f *fifo[T]) len() int { return len(f.items) - f.head }

func (f *fifo[T]) push(v T) { f.items = append(f.items, v) }

// at is the i-th from the head.
func (f *fifo[T]) at(i int) *T { return &f.items[f.head+i] }

func (f *fifo[T]) first() T { return f.items[f.head] }

func (f *fifo[T]) pop() T {
	v := f.items[f.head]
	var zero T
	f.items[f.head] = zero
	f.head++
	if f.head == len(f.items) {
		f.items, f.head = f.items[:0], 0
	} else if f.head >= 64 && f.head*2 > len(f.items) {
		n := copy(f.items, f.items[f.head:])
		clear(f.items[n:])
		f.items, f.head = f.items[:n], 0
	}
	return v
}

// take removes the i-th from the head.
func (f *fifo[T]) take(i int) T {
	if i == 0 {
		return f.pop()
	}
	i += f.head
	v := f.items[i]
	copy(f.items[i:], f.items[i+1:])
	var zero T
	f.items[len(f.items)-1] = zero
	f.items = f.items[:len(f.items)-1]
	return v
}
