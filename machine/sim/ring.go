package sim

import "slices"

// ring is the cores that swap a lock's word until they win it. Each has one
// request at the line at any time, so that the line goes from one to the next
// in the order in which they came, round and round, and a release takes its
// place among them like everybody. No swap is simulated: who is served when
// follows from the times of the visits.
type ring struct {
	turns []turn // the first is being served, or is next
	at    int64  // when its visit began, or begins
}

type turn struct {
	c       *core
	threads int64 // siblings that swap in one visit
}

// visit is how long the line is with turn i, where several cores take turns: no
// shorter than what a core needs for its own swap, shared among them.
func (s *Sim) visit(r *ring, i int) int64 {
	n := len(r.turns)
	if n < 2 {
		return 0
	}
	t := r.turns[i]
	w := s.between(r.turns[(i+n-1)%n].c, t.c)
	busy := max(w.occupancy, (w.latency+int64(s.cost.RMW))/int64(n))
	return busy + (t.threads-1)*int64(s.cost.OccupancySibling)
}

// advance turns the ring to a time.
func (s *Sim) advance(r *ring, to int64) {
	n := len(r.turns)
	if n < 2 || r.at >= to {
		r.at = max(r.at, to)
		return
	}
	round := int64(0)
	for i := range n {
		round += s.visit(r, i)
	}
	if round == 0 {
		r.at = to
		return
	}
	r.at += (to - r.at) / round * round
	i := 0
	for ; r.at+s.visit(r, i) <= to && i < n-1; i++ {
		r.at += s.visit(r, i)
	}
	rotate(r.turns, i)
}

func rotate(t []turn, i int) {
	if i > 0 {
		slices.Reverse(t[:i])
		slices.Reverse(t[i:])
		slices.Reverse(t)
	}
}

func (r *ring) find(c *core) int {
	return slices.IndexFunc(r.turns, func(t turn) bool { return t.c.phys == c.phys })
}

// enter adds a thread at the end of the ring, or to its sibling's visits.
func (s *Sim) enter(r *ring, c *core, at int64) {
	s.advance(r, at)
	if i := r.find(c); i >= 0 {
		r.turns[i].threads++
		return
	}
	r.turns = append(r.turns, turn{c, 1})
	if len(r.turns) == 2 {
		// Alone, a core has the line without a break: the other is next.
		rotate(r.turns, 1)
	}
}

// pass serves a release at a time: it waits for every request that is there, or
// for its sibling's next visit. Who comes next wins. It returns the winner's
// core, and when its swap is done.
func (s *Sim) pass(r *ring, c *core, t int64) (winner *core, done int64) {
	s.advance(r, t)
	n := len(r.turns)
	i := r.find(c)
	cost := s.between(r.turns[n-1].c, c).occupancy
	switch {
	case i >= 0:
		// It is served with its sibling, whose swap of this visit comes first.
		for j := range i + 1 {
			r.at += s.visit(r, j)
		}
		cost = int64(s.cost.OccupancySibling)
		if rotate(r.turns, (i+1)%n); n == 1 {
			r.at = max(r.at, t)
		}
	default:
		// What is being served now asks anew behind the release, and is next.
		for j := range n {
			r.at += s.visit(r, j)
		}
	}
	r.at += cost
	winner = r.turns[0].c
	w := s.between(c, winner)
	done = r.at + w.latency + int64(s.cost.RMW)
	// Its visit is over before the others go on.
	r.at += w.occupancy
	if r.turns[0].threads--; r.turns[0].threads == 0 {
		r.turns = slices.Delete(r.turns, 0, 1)
	} else {
		r.at += (r.turns[0].threads) * int64(s.cost.OccupancySibling)
		rotate(r.turns, 1%len(r.turns))
	}
	return winner, done
}
