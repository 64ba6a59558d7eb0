package explore

// search goes through every order of operations depth first, with at most
// bound preemptions: switches away from an agent that could have gone on, and
// timers of the kernel that fire while anything else could happen; one that
// interrupts somebody is two.
// Switches that somebody's waiting or ending forces are free, and all ways to
// make them are tried (Musuvathi and Qadeer, PLDI 2007).
//
// Three things are left out. None of them loses an order within the bound, up
// to the exchange of steps that have nothing to do with each other.
//
// Orders that come to where another has been: where the histories of all
// agents, who may go on for free, what is left of the bound and who is asleep
// are such as have been met before, what follows has been tried.
//
// Agents that sleep (Godefroid's sleep sets, 1996). Where an agent has been
// tried first, the others' turns need not try it later, as long as nobody has
// done anything that what it did depends on: it is the same order. A bound and
// the exchange of steps do not mix by themselves, since the same order may cost
// another number of preemptions (Coons, Musuvathi and McKinley, OOPSLA 2013), so
// an agent sleeps only in two cases. Who was left before a step does not take
// that one step: leaving him after it costs the same. And who was passed over
// does not do what it would have done up to where it waits: however far it
// comes there, all that can be put before the others' turns without another
// switch. Switches that were free must stay so: whoever waits counts as
// dependent on what would end his waiting, and who sleeps on what it would
// have waited for.
//
// Points before operations that have never had anything to do with what
// another agent did, in any schedule so far: see search.learn. When a class of
// objects turns out to be another kind, the search begins anew.
type search struct {
	bound   int
	cutting bool
	path    []fork
	depth   int // in path
	used    int // preemptions so far
	asleep  []sleeper
	step    taking // that is taken for the first time
	run     taking // likewise, until its agent waits
	seen    map[uint64]int8
	cut     bool // this schedule was
	grew    bool // what a class is known to be has changed
}

// fork is a decision with more than one way to go.
type fork struct {
	ways []int32 // agents
	way  int     // the one taken
	free int     // ways before this one are no preemption
	left bool    // the first way goes on with who was at it, and others leave him
	// What each way's agent does, from here to where it waits, or for one step
	// where it would be left; nil where that is not known.
	feet []*footprint
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
func (s *search) rewind() {
	s.depth, s.used, s.cut = 0, 0, false
	s.step, s.run = taking{}, taking{}
	s.asleep = s.asleep[:0]
}

// restart forgets everything.
func (s *search) restart() {
	s.path = s.path[:0]
	clear(s.seen)
	s.grew = false
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

// share is how much of the tree lies behind: see Report.Share.
func (s *search) share() float64 {
	done, part := 0.0, 1.0
	for i := range s.path {
		f := &s.path[i]
		part /= float64(len(f.ways))
		done += part * float64(f.way)
	}
	return done
}

func (s *search) over() bool { return s.cut }

func (s *search) pick(m *Machine, cur *proc) *proc {
	// A handler or a device that has ended is not left, even if it could begin
	// again at once; nor is whoever goes on because nobody else can.
	on := cur != nil && cur.live && !cur.op.gives() && cur.enabled() && !m.stirred
	if m.stirred {
		s.asleep, m.stirred = s.asleep[:0], false
	}
	if s.cutting {
		if on && cur.glued {
			// Interrupts were just turned off. Whoever can come in here can come in
			// before that, and then the two are one step.
			return cur
		}
		s.ended(m, cur, on)
	}
	if on && (s.used >= s.bound || s.cutting && !matters(&cur.op)) {
		return cur
	}
	ready := m.possible()
	early := timers(ready) < len(ready) // a timer of the kernel would be
	ready = s.awake(ready)
	if early && s.used+s.price(on, kindTimer) > s.bound {
		ready = without(ready, kindTimer)
	}
	free := 1
	if !on {
		if free = len(ready); early {
			free -= timers(ready)
		}
	}
	if len(ready) == 0 {
		s.cut = len(m.ready) > 0
		return nil
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
		w := ways(head, ready)
		s.path = append(s.path, fork{free: free, left: on, ways: w, feet: make([]*footprint, len(w))})
	}
	return s.take(m, cur)
}

// price is what it costs to choose an agent that is not for free: leaving
// another is one, and so is a timer of the kernel that is early. They add up, or
// the price of a timer would depend on where it fires.
func (s *search) price(on bool, k kind) int {
	if on && k == kindTimer {
		return 2
	}
	return 1
}

// take goes the way of the next fork.
func (s *search) take(m *Machine, cur *proc) *proc {
	f := &s.path[s.depth]
	p := m.agents[f.ways[f.way]]
	if f.way >= f.free {
		s.used += s.price(f.left, p.kind)
	}
	if s.cutting {
		s.passOver(m, f)
		if s.depth == len(s.path)-1 {
			t := taking{s.depth, f.way, p, &footprint{old: m.objects}}
			if f.left && f.way == 0 {
				s.step = t
			} else {
				s.run = t
			}
		}
	}
	s.depth++
	return p
}

// passOver puts to sleep who was tried before the way that is taken: but for
// timers of the kernel, which may be for free later, and are not now.
func (s *search) passOver(m *Machine, f *fork) {
	for i, foot := range f.feet[:f.way] {
		if q := m.agents[f.ways[i]]; foot != nil && q.kind != kindTimer {
			s.asleep = append(s.asleep, sleeper{q, foot, f.left && i == 0})
		}
	}
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

// timers counts those of the kernel.
func timers(ready []*proc) (n int) {
	for _, p := range ready {
		if p.kind == kindTimer {
			n++
		}
	}
	return n
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
