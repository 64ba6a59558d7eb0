package explore

// search goes through every order of operations depth first, with at most
// bound preemptions: switches away from an agent that could have gone on, and
// timers of the kernel that fire while anything else could happen.
// Switches that somebody's waiting or ending forces are free, and all ways to
// make them are tried (Musuvathi and Qadeer, PLDI 2007).
//
// Equal orders are cut: where the histories of all agents, who may go on for
// free and what is left of the bound are such as have been met before, what
// follows has been tried. That is exact within the bound, as far as agents
// tell one another only by operations that the machine sees.
//
// And an agent is only left where leaving it can matter: not before it
// releases a lock, which is the same as having left it when it had taken it;
// not before it uses a line that is only ever used under the lock that it
// holds. Which lines those are is found on the way, and the search begins anew
// when another is found not to be one of them.
type search struct {
	bound   int
	cutting bool
	path    []fork
	depth   int // in path
	used    int // preemptions so far
	seen    map[uint64]int8
	cut     bool // this schedule was
}

// fork is a decision with more than one way to go.
type fork struct {
	ways []int32 // agents
	way  int     // the one taken
	free int     // ways before this one are no preemption
}

const unbounded = 1 << 20

func newSearch(cfg Config) *search {
	s := &search{bound: cfg.Preemptions, cutting: !cfg.NoCut, seen: map[uint64]int8{}}
	if s.bound < 0 {
		s.bound = unbounded
	}
	return s
}

// rewind prepares the next schedule.
func (s *search) rewind() { s.depth, s.used, s.cut = 0, 0, false }

// restart forgets everything.
func (s *search) restart() {
	s.path = s.path[:0]
	clear(s.seen)
}

// advance goes to the next way that has not been tried, and reports false
// where there is none.
func (s *search) advance() bool {
	for n := len(s.path); n > 0; n-- {
		f := &s.path[n-1]
		if f.way++; f.way < len(f.ways) {
			s.path = s.path[:n]
			return true
		}
	}
	s.path = s.path[:0]
	return false
}

func (s *search) over() bool { return s.cut }

func (s *search) pick(m *Machine, cur *proc) *proc {
	on := cur != nil && !cur.op.gives() && cur.enabled()
	if on && (s.used >= s.bound || s.cutting && !m.matters(&cur.op)) {
		return cur
	}
	ready := m.possible()
	if on && s.cutting && cur.op.kind == opIRQSave {
		ready = only(ready, cur)
	}
	if len(ready) == 0 {
		return nil
	}
	free := 1
	if !on {
		free = len(ready)
		for _, p := range ready {
			if p.kind == kindTimer {
				free--
			}
		}
		if free == 0 {
			free = len(ready)
		}
		if s.used >= s.bound && free < len(ready) {
			ready = without(ready, kindTimer)
		}
	}
	if len(ready) == 1 && (on || !s.cutting) {
		return ready[0]
	}
	if s.depth == len(s.path) {
		if s.cutting && s.met(m, cur, on) {
			s.cut = true
			return nil
		}
		head := cur
		if !on {
			head = first(ready)
		}
		s.path = append(s.path, fork{free: free, ways: ways(head, ready)})
	}
	f := &s.path[s.depth]
	s.depth++
	if f.way >= f.free {
		s.used++
	}
	return m.agents[f.ways[f.way]]
}

// ways orders what is possible: the default first, timers of the kernel last.
func ways(head *proc, ready []*proc) []int32 {
	ids := make([]int32, 0, len(ready))
	ids = append(ids, int32(head.id))
	for _, late := range []bool{false, true} {
		for _, p := range ready {
			if p != head && (p.kind == kindTimer) == late {
				ids = append(ids, int32(p.id))
			}
		}
	}
	return ids
}

func without(ready []*proc, k kind) []*proc {
	kept := ready[:0]
	for _, p := range ready {
		if p.kind != k {
			kept = append(kept, p)
		}
	}
	return kept
}

// met reports whether everything has been here before with as much of the
// bound left, and remembers it otherwise. Who made the last step counts only
// where it is on, and so has a way that is free.
func (s *search) met(m *Machine, cur *proc, on bool) bool {
	key := m.signature
	if on {
		key = mix(key, cur.hash)
	}
	left := int8(min(s.bound-s.used, 100) + 1)
	if s.seen[key] >= left {
		return true
	}
	s.seen[key] = left
	return false
}

// only keeps an agent and the handlers of its core: before it turns interrupts
// off, nobody else's coming in between makes a difference that the next
// operation does not offer as well.
func only(ready []*proc, cur *proc) []*proc {
	kept := ready[:0]
	for _, p := range ready {
		if p == cur || p.core == cur.core && (p.kind == kindSoft || p.kind == kindHard || p.kind == kindTimer) {
			kept = append(kept, p)
		}
	}
	return kept
}

// matters reports whether it can make a difference that another agent comes
// before the operation of one that could make it now.
func (m *Machine) matters(o *op) bool {
	switch o.kind {
	case opUnlock:
		return m.unguarded[triedClass+o.obj.class]
	case opRWUnlock, opWait:
		return false
	case opLoad, opStore, opRMW, opCAS:
		return m.unguarded[o.ln.class]
	}
	return true
}
