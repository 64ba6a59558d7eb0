package explore

// learn keeps which classes of object two agents have to do with at all: a read
// of what another writes, or a write of what another uses. Points before
// operations on others can be left out. Both operations occur in any order
// that the search runs which has the same beginning, so that the first order
// that it would miss teaches it better. It is otherwise where one operation can
// prevent the other for good, so that both are in no order: a timer's firing,
// by disarming it or by the end of the last thread.
func (s *search) learn(m *Machine, p *proc) {
	mattered := false
	for _, u := range m.step {
		o := u.o
		c := o.class
		reads, writes := c.reads, c.writes
		if u.write {
			if o == &m.threads && m.alive == 0 && m.armed() {
				reads, writes = true, true
			}
			if another(o.reader, p) {
				reads, writes = true, true
			}
			writes = writes || another(o.writer, p)
			o.writer = joined(o.writer, p)
		} else {
			if another(o.writer, p) {
				reads, writes = true, true
			}
			o.reader = joined(o.reader, p)
		}
		if reads != c.reads || writes != c.writes {
			c.reads, c.writes, s.grew = reads, writes, true
		}
		if c != m.main && !u.need && (u.write && c.writes || c.reads) {
			mattered = true
		}
	}
	// A step is known by its first operation: what follows makes it matter too.
	if mattered && m.main != nil && !m.main.always {
		m.main.always, s.grew = true, true
	}
}

func joined(who, p *proc) *proc {
	if who == nil || who == p {
		return p
	}
	return several
}

// matters reports whether it can make a difference that another agent comes
// before the operation of one that could make it now.
func matters(o *op) bool {
	if o.obj == nil {
		return true
	}
	c := o.obj.class
	switch {
	case c.always:
		return true
	case o.kind == opWait:
		return false // what is there to take stays there
	case o.kind.writes():
		return c.writes
	}
	return c.reads
}

// armed reports whether any timer is.
func (m *Machine) armed() bool {
	for _, p := range m.timers {
		if p.armed {
			return true
		}
	}
	return false
}
