package sim

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// locker is a lock as its users see it.
type locker interface {
	Lock(*machine.Thread)
	Unlock(*machine.Thread)
}

// post is a store that whoever makes it does not wait for, as a release is: the
// line serves it in its turn. (A store of a Word is one of Go's, and waits.)
func post(s *Sim, t *machine.Thread, w *machine.Word, value uint64) {
	p := s.procs[t.ID()]
	p.sync()
	by := &proc{s: s, core: p.core, level: levelThread, irqOff: true, daemon: true, state: running, node: s.root("post"), t: s.now}
	by.Attach(by, "post", len(s.procs), p.core.id, nil)
	by.next, by.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() { _ = recover() }()
		by.yield = yield
		w.Store(&by.Thread, value)
		by.state = finished
	})
	s.procs = append(s.procs, by)
	s.resumeAt(by, s.now)
	p.use(int64(s.cost.Store))
}

// wordTicket is a ticket lock of words, each of whose spins is simulated.
type wordTicket struct {
	s           *Sim
	next, owner machine.Word
}

func newWordTicket(s *Sim) *wordTicket {
	l := &wordTicket{s: s}
	line := machine.NewLine("lock")
	l.next.Init(line, 0)
	l.owner.Init(line, 0)
	return l
}

func (l *wordTicket) Lock(t *machine.Thread) {
	mine := l.next.Add(t, 1) - 1
	for l.owner.Load(t) != mine {
		t.Relax(&l.owner)
	}
}

func (l *wordTicket) Unlock(t *machine.Thread) { post(l.s, t, &l.owner, l.owner.Peek()+1) }

// wordSwap swaps one word until it was free.
type wordSwap struct {
	s *Sim
	w machine.Word
}

func newWordSwap(s *Sim) *wordSwap {
	l := &wordSwap{s: s}
	l.w.Init(machine.NewLine("lock"), 0)
	return l
}

func (l *wordSwap) Lock(t *machine.Thread) {
	for l.w.Swap(t, 1) != 0 {
	}
}

func (l *wordSwap) Unlock(t *machine.Thread) { post(l.s, t, &l.w, 0) }

// wordBackoff looks first, and backs off where it has lost.
type wordBackoff struct {
	*wordSwap
	pause time.Duration
}

func (l *wordBackoff) Lock(t *machine.Thread) {
	for back := int64(machine.BackoffFirst); ; back = min(2*back, machine.BackoffMost) {
		for l.w.Load(t) != 0 {
			t.Relax(&l.w)
		}
		if l.w.Swap(t, 1) == 0 {
			return
		}
		t.Work(l.pause * time.Duration(back/2+t.Rand().Int64N(back/2+1)))
	}
}

// wordQueue is a queue whose head alone spins on the lock's word.
type wordQueue struct {
	s            *Sim
	tail, locked machine.Word
	nodes        []wordNode
}

type wordNode struct{ head, next machine.Word }

func newWordQueue(s *Sim, threads int) *wordQueue {
	l := &wordQueue{s: s, nodes: make([]wordNode, threads)}
	line := machine.NewLine("lock")
	l.tail.Init(line, 0)
	l.locked.Init(line, 0)
	for i := range l.nodes {
		own := machine.NewLine("node")
		l.nodes[i].head.Init(own, 0)
		l.nodes[i].next.Init(own, 0)
	}
	return l
}

func (l *wordQueue) Lock(t *machine.Thread) {
	me := uint64(t.ID() + 1)
	own := &l.nodes[me-1]
	if before := l.tail.Swap(t, me); before != 0 {
		post(l.s, t, &l.nodes[before-1].next, me)
		for own.head.Load(t) == 0 {
			t.Relax(&own.head)
		}
		own.head.Store(t, 0)
	}
	for l.locked.Load(t) != 0 {
		t.Relax(&l.locked)
	}
	l.locked.Store(t, 1)
	if l.tail.Peek() == me && l.tail.CAS(t, me, 0) {
		return
	}
	for own.next.Load(t) == 0 {
		t.Relax(&own.next)
	}
	after := own.next.Peek()
	own.next.Store(t, 0)
	post(l.s, t, &l.nodes[after-1].head, 1)
}

func (l *wordQueue) Unlock(t *machine.Thread) { post(l.s, t, &l.locked, 0) }

// broadwell is a host of two hardware threads a core whose every way differs.
func broadwell() Costs {
	c := DefaultCosts()
	c.SameSocket, c.CrossSocket = 44, 118
	c.Occupancy, c.OccupancyCross, c.OccupancyShared, c.OccupancySibling = 39, 118, 11, 9
	c.Pause = 4
	return c
}

// perAcquisition is the time between two acquisitions over the whole machine.
func perAcquisition(t *testing.T, cfg Config, threads int, hold, think time.Duration, acquisitions int, lock func(*Sim) locker) float64 {
	s := newSim(t, cfg)
	l := lock(s)
	done := 0
	var from, to time.Duration
	for i := range threads {
		s.Go(fmt.Sprintf("thread-%d", i), i, false, func(th *machine.Thread) {
			inside := machine.Dist{Mean: hold, Shape: machine.Lognormal, CV: 0.1}
			outside := machine.Dist{Mean: think, Shape: machine.Lognormal, CV: 0.1}
			th.Work(time.Duration(th.Rand().Int64N(20_000)))
			for done < acquisitions*5/4 {
				off := th.IRQSave()
				l.Lock(th)
				th.Work(inside.Draw(th.Rand()))
				l.Unlock(th)
				th.IRQRestore(off)
				th.Work(outside.Draw(th.Rand()))
				switch done++; done {
				case acquisitions / 4:
					from = th.Now()
				case acquisitions * 5 / 4:
					to = th.Now()
				}
			}
		})
	}
	_, err := s.Run(context.Background(), machine.Course{Duration: 1})
	require.NoError(t, err)
	return float64(to-from) / float64(acquisitions)
}

// What a kind of lock costs in closed form is what its spins cost at its line,
// one by one, within some percent. Two sockets are farther off, since there the
// order in which requests reach the line has its own rules: a queue of words also
// waits, with the lock taken, until its successor has said who it is, which the
// closed form has not, and of four threads in two sockets that is a fifth.
func TestClosedForm(t *testing.T) {
	virtualOnly(t)
	type shape struct{ sockets, siblings int }
	for _, v := range []struct {
		kind   machine.Kind
		within map[shape]float64
		spun   func(s *Sim, threads int) locker
	}{
		{machine.Ticket, map[shape]float64{{1, 1}: 0.08, {1, 2}: 0.08, {2, 1}: 0.17},
			func(s *Sim, _ int) locker { return newWordTicket(s) }},
		{machine.Queued, map[shape]float64{{1, 1}: 0.1, {1, 2}: 0.2},
			func(s *Sim, n int) locker { return newWordQueue(s, n) }},
		{machine.TAS, map[shape]float64{{1, 1}: 0.07, {1, 2}: 0.07, {2, 1}: 0.12},
			func(s *Sim, _ int) locker { return newWordSwap(s) }},
		{machine.TTAS, map[shape]float64{{1, 1}: 0.17, {1, 2}: 0.17},
			func(s *Sim, _ int) locker { return &wordBackoff{wordSwap: newWordSwap(s), pause: s.cost.Pause} }},
	} {
		for m, within := range v.within {
			for _, n := range []int{2, 4, 8, 16, 32} {
				for _, think := range []time.Duration{300, 1000, 5000} {
					if n < 8 && think == 5000 {
						continue // hardly anybody waits
					}
					t.Run(fmt.Sprintf("%v/%d-sockets/%d-siblings/%d/%d", v.kind, m.sockets, m.siblings, n, think), func(t *testing.T) {
						t.Parallel()
						costs := broadwell()
						costs.Siblings = m.siblings
						if v.kind == machine.TTAS {
							costs.Pause = DefaultCosts().Pause
						}
						cfg := Config{Cores: n, Sockets: m.sockets, Seed: 3, Costs: costs, LockKinds: map[string]machine.Kind{"lock": v.kind}}
						closed := perAcquisition(t, cfg, n, 200, think, 3000, func(s *Sim) locker {
							l := new(machine.SpinLock)
							l.Init(s, "lock")
							return l
						})
						spun := perAcquisition(t, cfg, n, 200, think, 600, func(s *Sim) locker { return v.spun(s, n) })
						require.InEpsilon(t, spun, closed, within, "ns an acquisition")
					})
				}
			}
		}
	}
}
