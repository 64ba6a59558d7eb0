package planted

import (
	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/strategies"
)

// stripes is a limit in parts, one for every eight cores. Who finds its own empty
// takes of another, and forgets of which. On fewer cores than two parts have it is
// right.
type stripes struct {
	free  []machine.Word // by part
	share []uint64       // likewise
}

const coresPerStripe = 8

func newStripes(h *dispatch.Host) *stripes {
	n := max(1, h.Machine().Cores()/coresPerStripe)
	l := &stripes{free: make([]machine.Word, n), share: make([]uint64, n)}
	for i := range n {
		l.share[i] = uint64(h.Template.CanQueue / n)
		if i < h.Template.CanQueue%n {
			l.share[i]++
		}
		l.free[i].Init(machine.NewLine("host_stripe"), l.share[i])
	}
	return l
}

func (l *stripes) own(t *machine.Thread) int { return t.Core() / coresPerStripe % len(l.free) }

func (l *stripes) Take(t *machine.Thread) bool {
	for i := range l.free {
		w := &l.free[(l.own(t)+i)%len(l.free)]
		for n := w.Load(t); n > 0; n = w.Load(t) {
			if w.CAS(t, n, n-1) {
				return true
			}
		}
	}
	return false
}

func (l *stripes) Give(t *machine.Thread) {
	own := l.own(t)
	for i := range l.free {
		if i != own && l.free[own].Load(t) == l.share[own] && l.free[i].Load(t) < l.share[i] {
			l.free[i].Add(t, 1) // the own one lacks none: it was this one's
		}
	}
	l.free[own].Add(t, 1) // and where it was?
}

func (l *stripes) Taken(t *machine.Thread) int {
	n := 0
	for i := range l.free {
		n += int(l.share[i] - l.free[i].Load(t))
	}
	return n
}

func (l *stripes) Alone(t *machine.Thread) bool { return l.Taken(t) == 1 }

func (l *stripes) Full(t *machine.Thread) bool {
	for i := range l.free {
		if l.free[i].Load(t) > 0 {
			return false
		}
	}
	return true
}

// bothWays is a limit under two locks, of what is taken and of what is free, which
// Take and Give nest differently.
type bothWays struct {
	taken, free machine.SpinLock
	line        *machine.Line // of busy, under either
	busy, most  int
}

func newBothWays(h *dispatch.Host) *bothWays {
	l := &bothWays{line: machine.NewLine("host_slots"), most: h.Template.CanQueue}
	l.taken.Init(h.Machine(), "taken_lock")
	l.free.Init(h.Machine(), "free_lock")
	return l
}

func (l *bothWays) under(t *machine.Thread, outer, inner *machine.SpinLock, f func() bool) bool {
	off := t.IRQSave()
	defer t.IRQRestore(off)
	outer.Lock(t)
	inner.Lock(t)
	t.Touch(l.line)
	ok := f()
	inner.Unlock(t)
	outer.Unlock(t)
	return ok
}

func (l *bothWays) Take(t *machine.Thread) bool {
	return l.under(t, &l.free, &l.taken, func() bool {
		if l.busy == l.most {
			return false
		}
		l.busy++
		return true
	})
}

func (l *bothWays) Give(t *machine.Thread) {
	l.under(t, &l.taken, &l.free, func() bool { l.busy--; return true })
}

func (l *bothWays) look(t *machine.Thread, f func() bool) bool {
	return l.under(t, &l.free, &l.taken, f)
}

func (l *bothWays) Full(t *machine.Thread) bool {
	return l.look(t, func() bool { return l.busy == l.most })
}

func (l *bothWays) Alone(t *machine.Thread) bool {
	return l.look(t, func() bool { return l.busy == 1 })
}

func (l *bothWays) Taken(t *machine.Thread) (n int) {
	l.look(t, func() bool { n = l.busy; return true })
	return n
}

var _, _ strategies.Limit = (*stripes)(nil), (*bothWays)(nil)
