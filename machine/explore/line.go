package explore

import "hostlock/machine"

// line is a machine.Line: its words, its plain fields, and what is noted by it.
type line struct {
	l     *machine.Line
	words []*word
	// any stands for the plain fields where their owner says that they are used
	// in any order, and noted for what Note is about; nil until they are used.
	any   *word
	noted *object
	// Of plain fields that something must order: the last write, and for each
	// agent when it has read last.
	wrote moment
	read  clock
	// Where they were used, in a schedule with a trace.
	wroteAt string
	readAt  map[int]string
}

// moment is a time of an agent.
type moment struct {
	p  *proc
	at uint32
}

// before reports whether it comes before what p does now.
func (w moment) before(p *proc) bool {
	return w.p == nil || w.p == p || w.at <= p.clock.at(w.p.id)
}

// plain is a use of plain fields. It must be ordered with every use by another
// agent that conflicts with it: by locks, words, completions, timers or
// interrupts. So it is no scheduling point: others can come in between only
// where that is a finding by itself. That interrupts are off orders nothing,
// since the live machine has none to turn off.
func (p *proc) plain(ln *line, write bool) {
	m := p.m
	if m.unwinding {
		return
	}
	m.publish()
	now, here := p.now(), ""
	if m.tracing {
		s := m.where()
		here = s.Where.String()
		m.recordPlain(p, ln, write, s)
	}
	if !ln.wrote.before(p) {
		m.race(ln, ln.wrote.p, "writes", ln.wroteAt, p, write, here)
	}
	if !write {
		ln.read.grow(p.id + 1)
		ln.read[p.id] = now
		if m.tracing {
			if ln.readAt == nil {
				ln.readAt = map[int]string{}
			}
			ln.readAt[p.id] = here
		}
		return
	}
	for agent, at := range ln.read {
		if agent != p.id && at > p.clock.at(agent) {
			m.race(ln, m.agents[agent], "reads", ln.readAt[agent], p, write, here)
		}
	}
	ln.wrote, ln.wroteAt = moment{p, now}, here
	clear(ln.read)
}

// race reports two uses of a line's plain fields that nothing orders: one that
// was made, and the one of b that is being made.
func (m *Machine) race(ln *line, a *proc, did, there string, b *proc, write bool, here string) {
	does := "reads"
	if write {
		does = "writes"
	}
	if there != "" {
		there, here = " at "+there, " at "+here
	}
	b.fail(Race, "%s %s fields of %s%s, %s %s them%s, and nothing orders the two", a.name, did, ln.l.Class, there, b.name, does, here)
}
