package explore

// record keeps an operation for the report, with the place in the code under
// test that it comes from.
func (m *Machine) record(p *proc, k opKind, o *object) {
	var s Step
	if k != opBegin {
		s = m.where()
	}
	s.Agent, s.Op = p.name, opNames[k]
	if o != nil {
		if o.nr == 0 {
			o.class.named++
			o.nr = o.class.named
		}
		s.Object = o.class.name + "#" + itoa(o.nr)
	}
	m.trace = append(m.trace, s)
}

// recordPlain keeps a use of plain fields, for whoever reads the schedule.
func (m *Machine) recordPlain(p *proc, ln *line, write bool, s Step) {
	k := opRead
	if write {
		k = opWrite
	}
	s.Agent, s.Op, s.Object = p.name, opNames[k], ln.l.Class
	m.trace = append(m.trace, s)
}
