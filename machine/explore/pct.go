package explore

import "math/rand/v2"

// pct is the probabilistic concurrency testing of Burckhardt, Kothari,
// Musuvathi and Nagarakatte (ASPLOS 2010): every agent has a random priority,
// the highest that can go on does, and at d-1 random points of k the one that
// runs falls below all others. A fault that needs d ordering constraints
// among n agents is found by one schedule with a probability of at least
// 1/(n*k^(d-1)).
type pct struct {
	rng    rand.PCG
	change []int // steps at which the running agent falls, ascending
	low    int64 // priorities given so far to those that fell
	last   *proc
}

// reset draws a schedule: depth is d, steps is k.
func (s *pct) reset(seed uint64, depth, steps int) {
	s.rng.Seed(seed, 2)
	s.change = s.change[:0]
	for range depth - 1 {
		at := 1 + int(s.rng.Uint64()%uint64(max(steps, 1)))
		i := len(s.change)
		s.change = append(s.change, at)
		for ; i > 0 && s.change[i-1] > at; i-- {
			s.change[i] = s.change[i-1]
		}
		s.change[i] = at
	}
	s.low, s.last = 0, nil
}

func (s *pct) pick(m *Machine, cur *proc) *proc {
	for len(s.change) > 0 && m.steps >= s.change[0] {
		s.change = s.change[1:]
		s.fall(m, cur)
	}
	// Timers of the kernel are far away: one that is armed again and again must
	// not come before everything else each time.
	if cur != nil && (cur.op.gives() || cur.kind == kindTimer) {
		s.fall(m, cur)
	}
	if !m.dirty && cur == s.last && cur != nil && cur.enabled() {
		return cur
	}
	m.dirty = false
	var best *proc
	for _, p := range m.possible() {
		if p.prio == 0 {
			p.prio = int64(s.rng.Uint64()>>1) + 1
		}
		if best == nil || p.prio > best.prio {
			best = p
		}
	}
	s.last = best
	return best
}

func (s *pct) fall(m *Machine, p *proc) {
	if p != nil {
		s.low--
		p.prio = s.low
		m.dirty = true
	}
}

func (s *pct) over() bool { return false }
