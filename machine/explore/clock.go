package explore

// clock is a vector clock: for each agent, how much of what it did comes before
// (Lamport; Fidge and Mattern). Agents are told by their numbers.
type clock []uint32

// at is the time of an agent that the clock knows.
func (c clock) at(agent int) uint32 {
	if agent < len(c) {
		return c[agent]
	}
	return 0
}

// join makes c know what d knows, too.
func (c *clock) join(d clock) {
	if len(d) > len(*c) {
		c.grow(len(d))
	}
	to := (*c)[:len(d)]
	for i, v := range d {
		if v > to[i] {
			to[i] = v
		}
	}
}

func (c *clock) grow(n int) {
	for len(*c) < n {
		*c = append(*c, 0)
	}
}

// replace makes c know what d knows and nothing else.
func (c *clock) replace(d clock) { *c = append((*c)[:0], d...) }

// now is the agent's own time.
func (p *proc) now() uint32 {
	p.clock.grow(p.id + 1)
	if p.clock[p.id] == 0 {
		p.clock[p.id] = 1
	}
	return p.clock[p.id]
}

// learns orders what the agent does from here on after what is known of a
// thing that it has taken or read.
func (p *proc) learns(c clock) { p.clock.join(c) }

// tells makes something known by what others take or read later, in addition
// to what is known by it.
func (p *proc) tells(c *clock) {
	p.now()
	c.join(p.clock)
	p.clock[p.id]++
}

// tellsAlone does so where whoever reads sees this agent's value and no
// earlier one.
func (p *proc) tellsAlone(c *clock) {
	p.now()
	c.replace(p.clock)
	p.clock[p.id]++
}

// publish completes the release of the last compare-and-swap, of which only
// the next operation says that it did not fail.
func (m *Machine) publish() {
	if w := m.swapped; w != nil {
		m.swapped = nil
		m.swapper.tells(&w.known)
	}
}

// forgetClocks has everything that the last schedule left come before this one.
func (m *Machine) forgetClocks() {
	m.swapped = nil
	for _, p := range m.agents {
		p.clock, p.self.known = p.clock[:0], p.self.known[:0]
	}
	for _, l := range m.locks {
		l.known = l.known[:0]
	}
	for _, l := range m.rws {
		l.known, l.shared = l.known[:0], l.shared[:0]
	}
	for _, w := range m.words {
		w.known = w.known[:0]
	}
	for _, c := range m.completions {
		c.known = c.known[:0]
	}
	for _, q := range m.irqs {
		for i := range q.on {
			q.on[i].known = q.on[i].known[:0]
		}
	}
	for _, l := range m.lines {
		l.wrote, l.read = moment{}, l.read[:0]
	}
}
