package locks

import "hostlock/machine"

var queuedInfo = Info{
	Name: "queued", Aliases: []string{"mcs"},
	About:  "first come, first served; each waiter spins on a line of its own",
	Origin: "Mellor-Crummey and Scott 1991; Linux since 4.2 has one in its qspinlock",
	Spins:  machine.Queued, Closed: true, FIFO: true,
	New: func(e Env) Lock {
		return on(e, func(e Env) Lock {
			l := &Queued{nodes: make([]queuedNode, e.Threads)}
			l.tail.Init(machine.NewLine(e.Class), 0)
			for i := range l.nodes {
				line := machine.NewLine(e.Class)
				l.nodes[i].next.Init(line, 0)
				l.nodes[i].wait.Init(line, 0)
			}
			return l
		})
	},
}

// Queued is an MCS lock. A thread is known by its ID plus one; 0 is nobody.
type Queued struct {
	tail  machine.Word
	nodes []queuedNode // by thread
}

type queuedNode struct {
	next, wait machine.Word
	_          [64]byte // the next thread spins on its own
}

// Lock joins the queue and waits for its predecessor.
func (l *Queued) Lock(t *machine.Thread) {
	me := uint64(t.ID()) + 1
	n := &l.nodes[t.ID()]
	n.next.Store(t, 0)
	before := l.tail.Swap(t, me)
	if before == 0 {
		return
	}
	n.wait.Store(t, 1)
	l.nodes[before-1].next.Store(t, me)
	for n.wait.Load(t) != 0 {
		t.Relax(&n.wait)
	}
}

// Unlock hands the lock to whoever came next.
func (l *Queued) Unlock(t *machine.Thread) {
	me := uint64(t.ID()) + 1
	n := &l.nodes[t.ID()]
	next := n.next.Load(t)
	if next == 0 {
		if l.tail.CAS(t, me, 0) {
			return
		}
		for next = n.next.Load(t); next == 0; next = n.next.Load(t) {
			t.Relax(&n.next) // somebody has joined and not said so yet
		}
	}
	l.nodes[next-1].wait.Store(t, 0)
}
