package sim

import (
	"math/rand/v2"

	"hostlock/machine"
)

// crowd is the cores that spin on a lock's line by reading it. No read of theirs
// is simulated: between two writes each has its copy and spins on that; a write
// takes the copies away, and then each reads once more, in any order, at the
// line, which serves one after the other. That storm is counted here, as the
// line would serve it. Writes that are made before it begins go first, together,
// and set off one storm.
type crowd struct {
	n       int     // cores, siblings counted once
	by      []int32 // the same by socket; nil with one socket
	threads []uint8 // waiters by core; nil without siblings
	from    int64   // when the last write is over, and the storm begins
	writer  *core   // who made it
}

func (s *Sim) newCrowd() crowd {
	var cr crowd
	if s.cfg.Sockets > 1 {
		cr.by = make([]int32, s.cfg.Sockets)
	}
	if s.siblings > 1 {
		cr.threads = make([]uint8, s.cores[len(s.cores)-1].phys+1)
	}
	return cr
}

func (cr *crowd) enter(c *core) {
	if cr.threads != nil {
		if cr.threads[c.phys]++; cr.threads[c.phys] > 1 {
			return
		}
	}
	cr.n++
	if cr.by != nil {
		cr.by[c.socket]++
	}
}

func (cr *crowd) leave(c *core) {
	if cr.threads != nil {
		if cr.threads[c.phys]--; cr.threads[c.phys] > 0 {
			return
		}
	}
	cr.n--
	if cr.by != nil {
		cr.by[c.socket]--
	}
}

// beside reports whether a thread of the crowd shares a core's copy.
func (cr *crowd) beside(c *core) bool { return cr.threads != nil && cr.threads[c.phys] > 0 }

// others is how many cores of the crowd read after a write by c.
func (cr *crowd) others(c *core) int {
	if cr.beside(c) {
		return cr.n - 1
	}
	return cr.n
}

// in is how many of them are of a socket.
func (cr *crowd) in(socket int, c *core) int {
	if cr.by == nil {
		return cr.others(c)
	}
	n := int(cr.by[socket])
	if socket == c.socket && cr.beside(c) {
		n--
	}
	return n
}

// sockets is the set of those that spin.
func (cr *crowd) sockets() (set uint64) {
	for i, n := range cr.by {
		if n > 0 {
			set |= 1 << (i & 63)
		}
	}
	return set
}

// storm is how long the line is busy with the reads that follow a write by c:
// the first of each socket brings it there, and the others find it there.
func (s *Sim) storm(cr *crowd, c *core) int64 {
	n := cr.others(c)
	if n == 0 {
		return 0
	}
	busy, firsts := int64(0), 0
	if cr.in(c.socket, c) > 0 {
		busy, firsts = int64(s.cost.Occupancy), 1
	}
	for i, k := range cr.by {
		if k > 0 && i != c.socket {
			busy += int64(s.cost.OccupancyCross)
			firsts++
		}
	}
	return busy + int64(n-firsts)*int64(s.cost.OccupancyShared)
}

// seen is when a core of the crowd is answered in the storm that follows the
// last write: its read is as likely to be the first as the last, and of each
// socket some other may have read before.
func (s *Sim) seen(cr *crowd, to *core) int64 {
	from := cr.writer
	if to.phys == from.phys {
		return cr.from + int64(s.cost.Load)
	}
	n, ahead := cr.others(from), 0
	if n > 1 {
		ahead = s.orderRand.IntN(n)
	}
	at, firsts := cr.from, 0
	first := func(socket int) way {
		if socket == from.socket {
			return s.near()
		}
		return s.far()
	}
	own := first(to.socket)
	if cr.by == nil {
		if ahead > 0 {
			at += own.occupancy + int64(ahead-1)*int64(s.cost.OccupancyShared)
		}
		return at + own.latency
	}
	for i := range cr.by {
		k := cr.in(i, from)
		if i == to.socket {
			k--
		}
		if k > 0 && anyAhead(s.orderRand, k, ahead, n-1) {
			at += first(i).occupancy
			firsts++
			if i == to.socket {
				own = s.near()
			}
		}
	}
	return at + int64(max(ahead-firsts, 0))*int64(s.cost.OccupancyShared) + own.latency
}

// anyAhead draws whether one of k marked things is among the first ahead of n.
func anyAhead(r *rand.Rand, k, ahead, n int) bool {
	none := 1.0
	for i := 0; i < k && none > 0; i++ {
		none *= float64(n-ahead-i) / float64(n-i)
	}
	return none <= 0 || none < 1 && r.Float64() >= none
}

// write is one write of a lock's word at a time: when the line serves it, and
// what its author sees of the way. After it those who spin read anew.
func (s *Sim) write(lk *lock, c *core, t int64) (at, latency int64) {
	ln, cr := lk.ln, &lk.crowd
	if t < cr.from {
		// Before the storm of the last write has begun.
		w := s.between(cr.writer, c)
		at = cr.from
		lk.later(s, w.occupancy)
		cr.from, cr.writer = at+w.occupancy, c
		s.settleLine(ln, cr)
		return at, w.latency
	}
	if ln.owner == c.phys {
		cr.from, cr.writer = t, c
		if s.siblings > 1 && ln.last != int32(c.id) {
			t = max(t, ln.freeAt)
			ln.freeAt = t + int64(s.cost.OccupancySibling)
			ln.last = int32(c.id)
			cr.from = ln.freeAt
		}
		return t, 0
	}
	w := s.writing(ln.sockets|cr.sockets(), c)
	at = max(t, ln.freeAt)
	cr.from, cr.writer = at+w.occupancy, c
	s.settleLine(ln, cr)
	return at, w.latency
}

// settleLine leaves a line as the last write and its storm do.
func (s *Sim) settleLine(ln *line, cr *crowd) {
	ln.take(cr.writer)
	busy := s.storm(cr, cr.writer)
	if busy > 0 {
		ln.owner = -1
		ln.sockets |= cr.sockets()
	}
	ln.freeAt = cr.from + busy
}

// lockWrite is write as the thread that waits for it sees it.
func (p *proc) lockWrite(lk *lock) {
	at, latency := p.s.write(lk, p.core, p.t)
	p.spend(machine.LineWait, lk.ln.class, at-p.t)
	p.spend(machine.LineTransfer, lk.ln.class, latency)
	p.use(int64(p.s.cost.RMW))
}
