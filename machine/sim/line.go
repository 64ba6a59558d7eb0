package sim

import "hostlock/machine"

// line is a cache line: who has it, and until when it is busy serving.
//
// A line serves one request after the other, in the order in which they are
// made. A request keeps it busy for an occupancy and is answered after a
// latency, both by where the line comes from when its turn has come. Hardware
// threads of one core share its copy: what a sibling asks for while the core has
// the line, or waits for it, is served in the same visit.
type line struct {
	freeAt  int64
	over    int64 // when it would be free if no sibling had joined the visit
	used    order
	owner   int32 // the core that has it exclusively, or -1
	last    int32 // the thread of a core that used it last
	class   int32
	busy    int64       // in the window, serving
	served  int64       // turns in it
	sockets uint64      // that have it, a bit each
	readers cores       // that have it to read, or had it when they wrote
	queue   fifo[*proc] // who waits for a turn
}

func (ln *line) has(core int32) bool {
	return ln.owner == core || ln.readers.has(int(core))
}

// take gives the line to one core alone, which writes it.
func (ln *line) take(c *core) {
	ln.readers.only(int(c.phys))
	ln.owner, ln.last, ln.sockets = c.phys, int32(c.id), c.bit()
}

// share leaves the line with a core that reads it, and all that have it.
func (ln *line) share(c *core) {
	ln.owner = -1
	ln.readers.add(int(c.phys))
	ln.sockets |= c.bit()
}

func (s *Sim) lineOf(l *machine.Line) *line {
	if l.Slot == 0 {
		ln := &line{class: s.class(l.Class), owner: -1, last: -1, readers: noCores(len(s.cores))}
		s.lines = append(s.lines, ln)
		l.Slot = len(s.lines) - 1
	}
	return s.lines[l.Slot]
}

// way is what one request at a line costs.
type way struct {
	latency   int64 // what the core that asks sees
	occupancy int64 // how long no other request is served
}

// The ways of a line, by where it comes from.
func (s *Sim) near() way { return way{int64(s.cost.SameSocket), int64(s.cost.Occupancy)} }
func (s *Sim) far() way  { return way{int64(s.cost.CrossSocket), int64(s.cost.OccupancyCross)} }
func (s *Sim) shared() way {
	return way{int64(s.cost.SameSocket), int64(s.cost.OccupancyShared)}
}

// reading is the way of a line that a core reads and does not have. Memory is
// its own socket's.
func (s *Sim) reading(ln *line, c *core) way {
	switch {
	case ln.sockets&c.bit() == 0 && ln.sockets != 0:
		return s.far()
	case ln.owner < 0 && ln.sockets != 0:
		return s.shared()
	default:
		return s.near()
	}
}

// writing is the way of one that it wants to itself: every other copy goes, and
// the farthest counts.
func (s *Sim) writing(sockets uint64, c *core) way {
	if sockets&^c.bit() != 0 {
		return s.far()
	}
	return s.near()
}

// between is the way from one core to another.
func (s *Sim) between(from, to *core) way {
	if from.phys == to.phys {
		return way{int64(s.cost.OccupancySibling), int64(s.cost.OccupancySibling)}
	}
	if from.socket == to.socket {
		return s.near()
	}
	return s.far()
}

// access charges one operation on a line and moves the line's state.
func (p *proc) access(l *machine.Line, op machine.Op) {
	s, c := p.s, p.core
	ln := s.lineOf(l)
	p.inOrder(&ln.used, op != machine.OpLoad)
	if op == machine.OpLoad {
		if !ln.has(c.phys) && p.turn(ln, true) {
			p.serve(ln, s.reading(ln, c))
			ln.share(c)
			p.spend(machine.LineTransfer, ln.class, p.latency)
		}
		p.use(int64(s.cost.Load))
		return
	}
	switch {
	case ln.owner == c.phys && (s.siblings == 1 || p.beside(ln)):
	case ln.owner < 0 && ln.readers.are(int(c.phys)):
		ln.take(c)
	case s.isFar(ln, c, op):
		if p.turn(ln, false) {
			p.serve(ln, s.writing(ln.sockets, c))
			ln.goHome(c)
			p.spend(machine.LineTransfer, ln.class, p.latency)
		}
	case p.turn(ln, false):
		p.serve(ln, s.writing(ln.sockets, c))
		ln.take(c)
		p.spend(machine.LineTransfer, ln.class, p.latency)
	case ln.owner != c.phys:
		ln.take(c) // the sibling came to read
	}
	if op == machine.OpStore {
		p.use(int64(s.cost.Store))
	} else {
		p.use(int64(s.cost.RMW))
	}
}

// turn waits for the proc's turn at a line that its core has not. It reports
// false where a sibling's turn has brought the line meanwhile.
func (p *proc) turn(ln *line, read bool) bool {
	if ln.freeAt <= p.t && ln.queue.len() == 0 {
		return true
	}
	p.sync()
	if ln.freeAt <= p.t && ln.queue.len() == 0 {
		return true
	}
	if lead := p.leader(ln); lead != nil {
		lead.with = append(lead.with, p)
	} else {
		if ln.queue.push(p); ln.queue.len() == 1 {
			p.s.resumeAt(p, ln.freeAt)
		}
	}
	p.joined, p.reads = false, read
	p.wait(machine.LineWait, ln.class)
	if p.joined {
		p.spend(machine.LineTransfer, ln.class, p.latency)
		return false
	}
	ln.queue.pop()
	return true
}

// leader is the sibling with which a proc will be served.
func (p *proc) leader(ln *line) *proc {
	if p.s.siblings == 1 {
		return nil
	}
	for i := range ln.queue.len() {
		if q := *ln.queue.at(i); q.core.phys == p.core.phys {
			return q
		}
	}
	return nil
}

// wait suspends the proc until somebody resumes it, and books the time.
func (p *proc) wait(what machine.What, class int32) {
	p.bucketAt(what, class) // captured here, booked wherever the window ends
	p.state = spinning
	p.spinStart, p.spinWhat, p.spinClass = p.t, what, class
	p.suspend()
	p.state = running
	p.charge(what, class, p.s.now-p.spinStart)
}

// serve begins the proc's turn: the line is busy with it, and with the siblings
// that waited for it, before the next in the queue has its own.
func (p *proc) serve(ln *line, w way) {
	s := p.s
	ln.over = p.t + w.occupancy
	p.latency = w.latency
	more := int64(0)
	for _, q := range p.with {
		if !q.reads { // a read finds what the sibling's request has brought
			more += int64(s.cost.OccupancySibling)
		}
		q.joined, q.latency = true, w.latency
		s.resumeAt(q, p.t+more)
	}
	ln.freeAt = ln.over + more
	ln.busy += w.occupancy + more
	ln.served++
	p.with = p.with[:0]
	ln.next(s)
}

// next arranges the turn of the head of the queue.
func (ln *line) next(s *Sim) {
	if ln.queue.len() > 0 {
		s.resumeAt(ln.queue.first(), ln.freeAt)
	}
}

// beside takes turns with a sibling at a line that their core has. It reports
// false where the line is about to leave: who waits for it has waited longer.
func (p *proc) beside(ln *line) bool {
	s := p.s
	if ln.queue.len() > 0 && p.t >= ln.over {
		return false
	}
	if ln.freeAt <= p.t {
		ln.freeAt = p.t + int64(s.cost.OccupancySibling)
	} else if ln.last != int32(p.core.id) {
		p.spend(machine.LineWait, ln.class, ln.freeAt-p.t)
		ln.freeAt += int64(s.cost.OccupancySibling)
		ln.next(s)
	}
	ln.last = int32(p.core.id)
	return true
}
