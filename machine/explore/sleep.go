package explore

// taking is a way that is being taken for the first time: what its agent does
// is its footprint.
type taking struct {
	fork, way int
	p         *proc
	foot      *footprint
}

// sleeper is an agent that may not be chosen yet.
type sleeper struct {
	p    *proc
	foot *footprint // of what it would do
	left bool       // it was left before a step, and not only passed over
}

// ended books the step that has just been made: it becomes the footprint that
// the search waits for, wakes who may not be exchanged with it, and teaches
// which operations can matter.
func (s *search) ended(m *Machine, cur *proc, on bool) {
	if t := &s.step; t.p != nil {
		t.foot.add(m.step)
		s.took(t)
	}
	if t := &s.run; t.p != nil {
		t.foot.add(m.step)
		if !on {
			if cur.live && cur.op.obj != nil {
				// What ends its waiting makes it go on further than this.
				t.foot.add([]use{{o: cur.op.obj}})
			}
			s.took(t)
		}
	}
	if cur != nil {
		s.learn(m, cur)
	}
	if len(s.asleep) > 0 {
		waits := cur != nil && cur.live && !on && cur.op.obj != nil
		kept := s.asleep[:0]
		for _, sl := range s.asleep {
			if !sl.foot.conflicts(m.step) && !(waits && sl.foot.uses(cur.op.obj, false)) {
				kept = append(kept, sl)
			}
		}
		s.asleep = kept
	}
	m.step = m.step[:0]
}

// took keeps the footprint of a way.
func (s *search) took(t *taking) {
	s.path[t.fork].feet[t.way] = t.foot
	t.p = nil
}

// awake leaves out who is asleep.
func (s *search) awake(ready []*proc) []*proc {
	if len(s.asleep) == 0 {
		return ready
	}
	kept := ready[:0]
next:
	for _, p := range ready {
		for i := range s.asleep {
			if s.asleep[i].p == p {
				continue next
			}
		}
		kept = append(kept, p)
	}
	return kept
}
