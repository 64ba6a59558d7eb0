package sim

import "hostlock/machine"

// What a lock's kinds differ in: what a thread does that finds the lock held,
// and what follows a release. All of it is requests at the lock's line.
//
//   - ticket: whoever comes adds to the word, and then all spin on it with
//     reads. So each arrival and each release sets off a storm of reads, and the
//     next in line is answered somewhere in that of the release;
//   - queued: the word is read by the head of the queue alone, the others spin on
//     lines of their own. A hand-off is three transfers: the release takes the
//     word away from the head, which reads it, and writes it. The head is that
//     two transfers after the acquisition before;
//   - tas: everybody swaps the word all the time, and a release waits its turn;
//   - ttas: all spin with reads; those who see the lock free swap, of whom one
//     wins and the others back off.

// arrive is a thread that finds the lock held. It returns when its arrival is
// over, from when on it spins.
func (s *Sim) arrive(lk *lock, c *core, t int64) int64 {
	switch lk.cls.kind {
	case machine.TAS:
		if len(lk.ring.turns) > 0 {
			s.enter(&lk.ring, c, t)
			return t
		}
		at, latency := s.write(lk, c, t)
		lk.ring.at = at
		s.enter(&lk.ring, c, at)
		return at + latency + int64(s.cost.RMW)
	case machine.TTAS:
		w := s.reading(lk.ln, c)
		at := max(t, lk.ln.freeAt)
		lk.ln.share(c)
		lk.ln.freeAt = at + w.occupancy
		lk.crowd.enter(c)
		return at + w.latency
	}
	at, latency := s.write(lk, c, t)
	at += latency + int64(s.cost.RMW)
	if lk.cls.kind == machine.Ticket {
		lk.crowd.enter(c)
	} else if lk.waiters.len() == 0 && lk.coming.p == nil {
		lk.crowd.enter(c)
		lk.ready = at
	}
	return at
}

// arrived is a waiter that has the lock now.
func (s *Sim) arrived(lk *lock, c *core) {
	lk.coming = coming{}
	switch lk.cls.kind {
	case machine.Ticket:
		lk.crowd.leave(c)
	case machine.Queued:
		if lk.waiters.len() > 0 {
			// It tells the next, on that one's own line, that it is the head.
			next := lk.waiters.first()
			told := s.now + 2*s.between(c, next.p.core).latency
			lk.crowd.enter(next.p.core)
			lk.ready = max(told, next.from)
		}
	}
}

// handOver is a release at a time, with waiters. It leaves in lk.coming who
// comes next, and when.
func (s *Sim) handOver(lk *lock, c *core, t int64) *proc {
	switch lk.cls.kind {
	case machine.TAS:
		to, at := s.pass(&lk.ring, c, t)
		i := 0
		for lk.waiters.at(i).p.core.phys != to.phys {
			i++
		}
		w := lk.waiters.take(i)
		lk.ln.take(w.p.core)
		lk.ln.freeAt = lk.ring.at
		lk.crowd.from = 0
		lk.coming = coming{p: w.p, at: max(at, w.from)}
	case machine.TTAS:
		lk.coming = s.rush(lk, c, t)
	case machine.Queued:
		s.write(lk, c, t)
		w := lk.waiters.pop()
		to := w.p.core
		lk.crowd.from = max(lk.crowd.from, lk.ready)
		read := s.seen(&lk.crowd, to)
		lk.crowd.leave(to)
		at, latency := s.write(lk, to, read)
		lk.coming = coming{p: w.p, at: at + latency + int64(s.cost.RMW)}
	default:
		s.write(lk, c, t)
		w := lk.waiters.pop()
		lk.coming = coming{p: w.p, at: max(s.seen(&lk.crowd, w.p.core), w.from), moves: w.p.core.phys != c.phys}
	}
	return lk.coming.p
}

// rush is a release of a lock whose waiters look before they swap: those who
// spin all read that it is free before the first swap is served, since their
// reads are at the line by then, and all swap. One wins, the others have kept
// the line busy for nothing, and back off.
func (s *Sim) rush(lk *lock, c *core, t int64) coming {
	cr := &lk.crowd
	spinning := 0
	soonest := 0
	for i := range lk.waiters.len() {
		w := lk.waiters.at(i)
		if w.back < 0 && w.from <= t { // its backing off is over
			w.back = -w.back
			cr.enter(w.p.core)
		}
		if w.back >= 0 {
			spinning++
		}
		if w.from < lk.waiters.at(soonest).from {
			soonest = i
		}
	}
	s.write(lk, c, t)
	if spinning == 0 {
		w := lk.waiters.take(soonest)
		n := s.between(c, w.p.core)
		return coming{p: w.p, w: w, open: w.from + n.latency, at: w.from + 2*n.latency + int64(s.cost.RMW)}
	}
	pick := s.orderRand.IntN(spinning)
	var out coming
	at := lk.ln.freeAt // the storm is over
	last := c
	for i := 0; i < lk.waiters.len(); {
		w := lk.waiters.at(i)
		if w.back < 0 {
			i++
			continue
		}
		cr.leave(w.p.core)
		n := s.between(last, w.p.core)
		if pick--; pick == -1 {
			won := lk.waiters.take(i)
			out = coming{p: won.p, at: max(lk.ln.freeAt+s.between(c, won.p.core).latency+int64(s.cost.RMW), won.from)}
			continue
		}
		last = w.p.core
		at += n.occupancy
		w.back = min(max(2*w.back, machine.BackoffFirst), machine.BackoffMost)
		w.from = at + int64(s.cost.Pause)*(w.back/2+s.orderRand.Int64N(w.back/2+1))
		w.back = -w.back
		i++
	}
	if last == c {
		last = out.p.core
	} else {
		at += s.near().occupancy
	}
	lk.ln.take(last)
	lk.ln.freeAt = max(at, lk.ln.freeAt)
	return out
}

// steal gives a lock that is free, and that a waiter will look at when it has
// backed off, to whoever comes before.
func (lk *lock) steal() {
	w := lk.coming.w
	w.p.gen++ // its arrangement is void
	lk.waiters.push(w)
	lk.coming = coming{}
	lk.held, lk.owner = false, nil
}
