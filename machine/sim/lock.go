package sim

import (
	"time"

	"hostlock/machine"
)

// lock is a spinlock's state on this machine.
type lock struct {
	cls       *lockClass
	class     int32
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
}

type waiter struct {
	p     *proc
	since int64
}

// lockClass is what all locks of one class measured.
type lockClass struct {
	stat machine.LockStat
	kind machine.Kind
}

func (s *Sim) lockOf(l *machine.SpinLock) *lock {
	if l.Slot == 0 {
		c := s.class(l.Class())
		s.locks = append(s.locks, &lock{cls: s.classes[c], class: c, lastCore: -1})
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
	if !lk.held {
		since := p.t
		if lk.freeAt > p.t {
			p.spend(machine.Spinning, lk.class, lk.freeAt-p.t)
		}
		// Held before the access, during which others may run and must queue.
		lk.held, lk.owner = true, p
		p.access(l.Line(), machine.OpRMW)
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
	lk.waiters.push(waiter{p, since})
	p.bucketAt(machine.Spinning, lk.class) // captured here, booked wherever the window ends
	p.state = spinning
	p.spinStart, p.spinClass = since, lk.class
	p.suspend()
	p.state = running
	p.charge(machine.Spinning, lk.class, s.now-p.spinStart)
	s.lineOf(l.Line()).take(p.core.id)
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
	p.access(l.Line(), machine.OpCAS)
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
	if k == 0 {
		p.access(l.Line(), machine.OpStore)
	}
	cls.stat.Hold.Add(time.Duration(p.t - lk.acquired))
	c := p.core.id
	h := &p.core.holds[lk.hold]
	h.held += p.t - lk.acquired
	h.n++
	lk.area += int64(k) * (p.t - lk.areaSince)
	// Below zero is a waiter whose own time is still to come; it is kept.
	h.blocked += max(lk.area, 0)
	lk.area, lk.areaSince = min(lk.area, 0), p.t
	if k == 0 {
		// Nothing may run between here and the real release, so no settling.
		lk.held, lk.owner, lk.freeAt = false, nil, p.t
		return
	}
	i := 0
	if cls.kind == machine.TAS {
		i = s.tasRand.IntN(k)
	}
	w := lk.waiters.take(i)
	lk.owner = w.p
	way := s.handoff(cls.kind, k, c, w.p.core.id)
	cls.stat.Handoff += time.Duration(way)
	h.blocked += way // the winner's; what the others wait meanwhile is in the next area
	s.resumeAt(w.p, max(p.t, w.since)+way)
}

// handoff is the time from a release to the next holder's first instruction,
// with k waiters, the next one included.
//
//   - ticket: the line's way to the winner, and half of the other waiters'
//     reads of it, which the home directory serves ahead of the winner's on
//     average (Boyd-Wickizer et al. 2012);
//   - tas: all of the other waiters' reads, since each then also tries to
//     write, which takes the line away again;
//   - queued: the line's way to the successor, which alone spins on it.
func (s *Sim) handoff(kind machine.Kind, k, from, to int) int64 {
	way := s.latency(from, to)
	others := int64(k-1) * int64(s.cost.Refill)
	switch kind {
	case machine.Ticket:
		return way + others/2
	case machine.TAS:
		return way + others
	default:
		return way
	}
}

// fifo is a queue that keeps its memory: it is emptied and refilled all run
// long.
type fifo[T any] struct {
	items []T
	head  int
}

func (f *fifo[T]) len() int { return len(f.items) - f.head }

func (f *fifo[T]) push(v T) { f.items = append(f.items, v) }

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
