// Command strategy is the lab with one more strategy, from a module of its own:
//
//	go run . run --strategy striped --machine sim
//	go run . list strategies
//
// A strategy registers itself by name, and main hands over to the lab: that
// is all it takes.
package main

import (
	"hostlock/dispatch"
	"hostlock/lab"
	"hostlock/machine"
	"hostlock/strategies"
)

func main() { lab.Main() }

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name:     "striped",
		About:    "per-queue, with the host's slots split into stripes, so that cores do not share one counter",
		Recovers: true,
		New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			return strategies.NewPerQueue(h, newStriped(h)), nil
		},
	})
}

// striped keeps a host's limit as free slots in several stripes, each on a
// cache line of its own. A core takes from its own stripe and gives back to it;
// where that is empty it takes from another. The sum of free and taken slots
// never changes, so the limit is as exact as with one counter.
//
// What it shows: per-queue's one counter is a line that every command of
// every core writes twice. Striping makes that line private, until the host is
// nearly full: then a core must look at all stripes, and that is dearer than
// one counter was. So it gains at a generous can_queue, and loses at a tight
// one.
type striped struct{ stripes []stripe }

// stripe counts what was ever taken from it and given to it: both only grow, so
// that whoever reads one before the other knows on which side it errs.
type stripe struct {
	taken, given machine.Word // on one line
	share        uint64       // of the host's slots
	_            [24]byte     // a word has 16 bytes, a line 64
}

// coresPerStripe keeps the scan of a full host short.
const coresPerStripe = 8

func newStriped(h *dispatch.Host) *striped {
	limit := h.Template.CanQueue
	if limit <= 0 {
		// No limit: as many as all devices can use.
		for _, d := range h.Devices {
			limit += d.QueueDepth
		}
	}
	n := max(1, h.Machine().Cores()/coresPerStripe)
	s := &striped{stripes: make([]stripe, n)}
	for i := range s.stripes {
		st := &s.stripes[i]
		line := machine.NewLine("host_stripe")
		st.taken.Init(line, 0)
		st.given.Init(line, 0)
		st.share = uint64(limit / n)
		if i < limit%n {
			st.share++
		}
	}
	return s
}

// own is the stripe of the core that t runs on.
func (s *striped) own(t *machine.Thread) int { return t.Core() / coresPerStripe % len(s.stripes) }

// Take tries its own stripe first, then the others in turn.
func (s *striped) Take(t *machine.Thread) bool {
	own := s.own(t)
	for i := range s.stripes {
		if s.stripes[(own+i)%len(s.stripes)].take(t) {
			return true
		}
	}
	return false
}

// take takes one of the stripe's free slots, if there is one. A compare-and-swap
// that fails has met another core that succeeded, so it tries again without waiting.
func (st *stripe) take(t *machine.Thread) bool {
	for {
		taken := st.taken.Load(t)
		if st.share+st.given.Load(t) == taken {
			return false
		}
		if st.taken.CAS(t, taken, taken+1) {
			return true
		}
	}
}

func (s *striped) Give(t *machine.Thread) { s.stripes[s.own(t)].given.Add(t, 1) }

// Full looks at every stripe. A slot that moves between two of them while it
// looks may be missed; whoever put it there looks for those who wait, as the
// contract of strategies.Limit asks.
func (s *striped) Full(t *machine.Thread) bool {
	for i := range s.stripes {
		st := &s.stripes[i]
		if taken := st.taken.Load(t); st.share+st.given.Load(t) != taken {
			return false
		}
	}
	return true
}

// Taken reads everything that was given back before anything that was taken. So a
// slot that moves between stripes meanwhile counts as taken twice, or once, and
// never as free: the sum is that of some moment in between, or more.
func (s *striped) Taken(t *machine.Thread) int {
	n := 0
	for i := range s.stripes {
		n -= int(s.stripes[i].given.Load(t))
	}
	for i := range s.stripes {
		n += int(s.stripes[i].taken.Load(t))
	}
	return n
}

func (s *striped) Alone(t *machine.Thread) bool { return s.Taken(t) == 1 }
