package sim

import "hostlock/machine"

// line is a cache line: who has it, and until when it is busy serving.
type line struct {
	freeAt  int64
	used    order
	owner   int32 // the core that has it exclusively, or -1
	last    int32 // the core that wrote it last, or -1
	class   int32
	readers cores // that have it to read, or had it when they wrote
}

func (ln *line) has(core int) bool {
	return ln.owner == int32(core) || ln.readers.has(core)
}

// take gives the line to one core alone, which writes it.
func (ln *line) take(core int) {
	ln.readers.only(core)
	ln.owner, ln.last = int32(core), int32(core)
}

// source is the core a miss is served from: the last writer, else any that
// has it, else the core itself, as memory of its own socket.
func (ln *line) source(core int) int {
	if ln.last >= 0 {
		return int(ln.last)
	}
	if c := ln.readers.first(); c >= 0 {
		return c
	}
	return core
}

func (s *Sim) lineOf(l *machine.Line) *line {
	if l.Slot == 0 {
		s.lines = append(s.lines, &line{class: s.class(l.Class), owner: -1, last: -1, readers: noCores(len(s.cores))})
		l.Slot = len(s.lines) - 1
	}
	return s.lines[l.Slot]
}

// latency is what a core sees of a line's way from another.
func (s *Sim) latency(from, to int) int64 {
	if s.cores[from].socket == s.cores[to].socket {
		return int64(s.cost.SameSocket)
	}
	return int64(s.cost.CrossSocket)
}

// access charges one operation on a line and moves the line's state.
func (p *proc) access(l *machine.Line, op machine.Op) {
	s, c := p.s, p.core.id
	ln := s.lineOf(l)
	p.inOrder(&ln.used, op != machine.OpLoad)
	if op == machine.OpLoad {
		if ln.has(c) {
			p.use(int64(s.cost.Load))
			return
		}
		p.miss(ln)
		ln.owner = -1
		ln.readers.add(c)
		p.use(int64(s.cost.Load))
		return
	}
	if ln.owner != int32(c) {
		if !ln.readers.are(c) {
			p.miss(ln)
		}
		ln.take(c)
	}
	if op == machine.OpStore {
		p.use(int64(s.cost.Store))
	} else {
		p.use(int64(s.cost.RMW))
	}
}

// miss brings a line to the proc's core: it waits its turn, occupies the line
// and sees the latency of the way.
func (p *proc) miss(ln *line) {
	s := p.s
	if ln.freeAt > p.t {
		p.spend(machine.LineWait, ln.class, ln.freeAt-p.t)
	}
	ln.freeAt = p.t + int64(s.cost.Occupancy)
	p.spend(machine.LineTransfer, ln.class, s.latency(ln.source(p.core.id), p.core.id))
}
