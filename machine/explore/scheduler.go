package explore

import "math/rand/v2"

// scheduler says who takes the next step.
type scheduler interface {
	// pick chooses among who can; cur made the last step, nil at the start. It
	// returns nil where nobody can, or where it ends the schedule.
	pick(m *Machine, cur *proc) *proc
	// over reports whether pick ended the schedule on purpose.
	over() bool
}

// watcher sees every decision of a schedule.
type watcher interface {
	arrived(p *proc)
	decided(m *Machine, cur, next *proc)
}

// walk is a random walk that goes on with the same agent for a while: at each
// point it goes to another with a probability that is drawn once a schedule,
// so that some schedules switch at nearly every point and others rarely. A
// fault that needs one agent to get far ahead is as likely to be met as one
// that needs two side by side.
type walk struct {
	rng  rand.PCG
	rate uint64 // out of 256
}

var walkRates = [...]uint64{256, 64, 16, 4}

func newWalk(seed uint64) *walk {
	w := new(walk)
	w.reset(seed)
	return w
}

func (w *walk) reset(seed uint64) {
	w.rng.Seed(seed, 1)
	w.rate = walkRates[w.rng.Uint64()%uint64(len(walkRates))]
}

func (w *walk) pick(m *Machine, cur *proc) *proc {
	if cur != nil && w.rng.Uint64()>>56 >= w.rate && !cur.op.gives() && cur.enabled() {
		return cur
	}
	ready := m.possible()
	if len(ready) == 0 {
		return nil
	}
	return ready[w.rng.Uint64()%uint64(len(ready))]
}

func (w *walk) over() bool { return false }

// byDefault is who goes on where a schedule does not say: who was at it,
// handlers, threads, timers of devices, and those of the kernel last.
func (m *Machine) byDefault(cur *proc) *proc {
	if m.steps > m.cfg.FairAfter {
		return m.inTurn(cur)
	}
	if cur != nil && !cur.op.gives() && cur.enabled() {
		return cur
	}
	return first(m.possible())
}

// first picks by default from what is possible: no timer, and nobody who asks
// for others to go first, where there is anybody else.
func first(ready []*proc) *proc {
	var best *proc
	rank := func(p *proc) int {
		switch {
		case p.kind == kindTimer:
			return 3
		case p.op.gives():
			return 2
		case p.kind == kindDevice && !p.live:
			return 1
		}
		return 0
	}
	for _, p := range ready {
		if best == nil || rank(p) < rank(best) {
			best = p
		}
	}
	return best
}
