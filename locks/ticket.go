package locks

import "hostlock/machine"

var ticketInfo = Info{
	Name:   "ticket",
	About:  "first come, first served; all waiters spin on one word",
	Origin: "Reed and Kanodia 1979; x86 Linux 2.6.25 to 4.1",
	Spins:  machine.Ticket, Closed: true, FIFO: true,
	New: func(e Env) Lock {
		return on(e, func(e Env) Lock {
			l := new(Ticket)
			line := machine.NewLine(e.Class) // the kernel's next and owner share one
			l.next.Init(line, 0)
			l.owner.Init(line, 0)
			return l
		})
	},
}

// Ticket is a ticket lock.
type Ticket struct{ next, owner machine.Word }

// Lock draws a ticket and waits until it is served.
func (l *Ticket) Lock(t *machine.Thread) {
	mine := l.next.Add(t, 1) - 1
	for l.owner.Load(t) != mine {
		t.Relax(&l.owner)
	}
}

// Unlock serves the next ticket.
func (l *Ticket) Unlock(t *machine.Thread) { l.owner.Store(t, l.owner.Load(t)+1) }
