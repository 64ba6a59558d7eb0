package sim

// order watches over the order of the operations on one thing that cores share.
// A thread's clock runs ahead of the machine's, so that two threads may do things
// in another order than their clocks say. What is always used under one lock never
// shows that, and costs nothing here. What once does is raced for, and from then on
// every operation on it waits for the machine's clock, until the race is over.
type order struct {
	wroteAt, readAt int64 // when it was last written and read, by the clocks of those who did
	raceUntil       int64
	wroteBy, readBy int32 // cores
}

const (
	// nearQuanta is how near in time, in quanta, two cores' operations must be for
	// their order to be in doubt: each may be one ahead.
	nearQuanta = 2
	// raceQuanta is how long after the last doubt a race is over, in quanta: some
	// tens of microseconds, so that a race between threads that work for ten in
	// between is one race.
	raceQuanta = 64
)

// inOrder lets the machine's clock come up to the proc's where somebody else's
// operation could belong before the one that the proc is about to make.
func (p *proc) inOrder(o *order, write bool) {
	s := p.s
	if o.raceUntil > s.now {
		p.sync()
	}
	c, t := int32(p.core.id), p.t
	// The latest operation of another core that does not commute with this one.
	other := int64(-1)
	if o.wroteBy != c {
		other = o.wroteAt
	}
	if write && o.readBy != c && o.readAt > other {
		other = o.readAt
	}
	quantum := int64(s.cost.Quantum)
	if other > t || o.raceUntil > t && other > t-nearQuanta*quantum {
		o.raceUntil = t + raceQuanta*quantum
	}
	if write {
		o.wroteAt, o.wroteBy = t, c
	} else if t >= o.readAt || o.readBy == c {
		o.readAt, o.readBy = t, c
	}
}
