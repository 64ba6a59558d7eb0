package explore

import "hostlock/machine"

// The tables of a schedule's objects. An object's slot is its place in its
// table; one that another schedule left behind is told by the pointer.

func (m *Machine) lockOf(l *machine.SpinLock) *lock {
	if i := l.Slot - 1; uint(i) < uint(len(m.locks)) && m.locks[i].l == l {
		return m.locks[i]
	}
	lk := &lock{l: l, object: m.object(l.Class())}
	m.locks = append(m.locks, lk)
	l.Slot = len(m.locks)
	return lk
}

func (m *Machine) rwOf(l *machine.RWMutex) *rwlock {
	if i := l.Slot - 1; uint(i) < uint(len(m.rws)) && m.rws[i].l == l {
		return m.rws[i]
	}
	lk := &rwlock{l: l, object: m.object(l.Class())}
	m.rws = append(m.rws, lk)
	l.Slot = len(m.rws)
	return lk
}

func (m *Machine) lineOf(l *machine.Line) *line {
	if i := l.Slot - 1; uint(i) < uint(len(m.lines)) && m.lines[i].l == l {
		return m.lines[i]
	}
	ln := &line{l: l}
	m.lines = append(m.lines, ln)
	l.Slot = len(m.lines)
	return ln
}

// wordOf finds a word on its line, where there are few.
func (m *Machine) wordOf(w *machine.Word) *word {
	ln := m.lineOf(w.Line())
	for _, wd := range ln.words {
		if wd.w == w {
			return wd
		}
	}
	wd := m.newWord(ln)
	wd.w, wd.first = w, w.Peek()
	ln.words = append(ln.words, wd)
	return wd
}

func (m *Machine) newWord(ln *line) *word {
	wd := &word{object: m.object(ln.l.Class), slot: len(m.words)}
	m.words = append(m.words, wd)
	return wd
}

// unordered is what stands for the plain fields of a line whose owner says that
// nothing orders their uses.
func (m *Machine) unordered(ln *line) *word {
	if ln.any == nil {
		ln.any = m.newWord(ln)
	}
	return ln.any
}

func (m *Machine) noteOf(l *machine.Line) *object {
	ln := m.lineOf(l)
	if ln.noted == nil {
		o := m.object(l.Class)
		ln.noted = &o
	}
	return ln.noted
}

func (m *Machine) completionOf(c *machine.Completion) *completion {
	if i := c.Slot - 1; uint(i) < uint(len(m.completions)) && m.completions[i].c == c {
		return m.completions[i]
	}
	co := &completion{c: c, object: m.object("completion")}
	m.completions = append(m.completions, co)
	c.Slot = len(m.completions)
	return co
}

// timerOf is the timer's agent.
func (m *Machine) timerOf(tm *machine.Timer) *proc {
	if i := tm.Slot - 1; uint(i) < uint(len(m.timers)) && m.timers[i].tm == tm {
		return m.timers[i]
	}
	k := kindDevice
	if tm.Level() != machine.Device {
		k = kindTimer
	}
	p := m.newProc(k, tm.Name(), nil)
	p.tm, p.self = tm, m.object(tm.Name())
	p.self.class.reads, p.self.class.writes = true, true // see search.learn
	p.setHash(0)                                         // until it is armed there is no history
	m.timers = append(m.timers, p)
	tm.Slot = len(m.timers)
	return p
}

func (m *Machine) irqOf(q *machine.IRQ) *irq {
	if i := q.Slot - 1; uint(i) < uint(len(m.irqs)) && m.irqs[i].q == q {
		return m.irqs[i]
	}
	ir := &irq{q: q, on: make([]object, len(m.cores))}
	for i := range ir.on {
		ir.on[i] = m.object(q.Name())
	}
	m.irqs = append(m.irqs, ir)
	q.Slot = len(m.irqs)
	return ir
}
