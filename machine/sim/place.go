package sim

import "math/bits"

// place chooses the core for a thread that becomes runnable and last ran on c.
func (s *Sim) place(c *core) *core {
	if s.cfg.Placement == OwnCore || c.cur == nil && c.idleSince >= 0 {
		return c
	}
	if i := s.idleNear(c.id); i >= 0 {
		return s.cores[i]
	}
	return c
}

// idleNear finds an idle core, of the same socket first, the next in order
// after the thread's own.
func (s *Sim) idleNear(id int) int {
	per := len(s.cores) / s.cfg.Sockets
	if per > 0 {
		lo := s.cores[id].socket * per
		hi := min(lo+per, len(s.cores))
		if i := s.idleIn(id+1, hi); i >= 0 {
			return i
		}
		if i := s.idleIn(lo, id); i >= 0 {
			return i
		}
	}
	if i := s.idleIn(id+1, len(s.cores)); i >= 0 {
		return i
	}
	return s.idleIn(0, id)
}

// idleIn finds the first idle core of [lo, hi), or -1.
func (s *Sim) idleIn(lo, hi int) int {
	for i := lo; i < hi; {
		w := s.idleCores[i>>6] >> (i & 63)
		if w != 0 {
			if i += bits.TrailingZeros64(w); i < hi {
				return i
			}
			return -1
		}
		i = (i>>6 + 1) << 6
	}
	return -1
}

// steal takes a thread that waits for another core, for a core with nothing
// to run.
func (s *Sim) steal(c *core) *proc {
	if s.cfg.Placement == OwnCore || s.queued == 0 {
		return nil
	}
	n := len(s.cores)
	for i := 1; i < n; i++ {
		o := s.cores[(c.id+i)%n]
		if o.runq.len() > 0 {
			s.runnable(-1)
			return o.runq.pop()
		}
	}
	return nil
}
