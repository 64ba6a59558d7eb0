package explore

import (
	"fmt"
	"strconv"
	"strings"

	"hostlock/machine"
)

// relaxRounds is how often those in a retry loop are let go round once more
// when nothing else can happen: the loop may wait for another word than the
// one it relaxes on.
const relaxRounds = 3

// relaxSteps is how many steps of others make one turn of a retry loop.
const relaxSteps = 100

// relaxed reports whether somebody in a retry loop goes round again although
// the line that it relaxes on is as it was. In an exhaustive run only where
// nothing else can happen: what is possible must follow from what happened,
// and not from how long it took.
func (m *Machine) relaxed(o *op) bool {
	return m.steps > m.cfg.FairAfter || !m.exhaustive && m.steps-o.at > relaxSteps
}

// stuck says what it means that nobody can take a step. It reports true where
// somebody can now.
func (m *Machine) stuck() bool {
	if m.failure != nil || m.sched.over() {
		return false
	}
	if m.stuckAt != m.writes {
		m.stuckAt, m.stuckRounds = m.writes, 0
	}
	var spinning, locked bool
	for _, p := range m.agents {
		switch {
		case !p.live && p.kind != kindThread || p.ended || p.daemon && m.alive == 0:
		case p.op.kind == opRelax:
			spinning = true
		case p.op.kind == opLock || p.op.kind == opRLock || p.op.kind == opWLock:
			locked = true
		}
	}
	if spinning && m.stuckRounds < relaxRounds {
		m.dirty, m.stirred = true, true
		m.stuckRounds++
		for _, p := range m.agents {
			if p.op.kind == opRelax {
				p.op.seen = p.op.word.version - 1
			}
		}
		return true
	}
	if m.late && !m.due && m.timersFire() {
		for _, p := range m.agents {
			if p.kind == kindTimer && p.armed {
				m.due, m.dirty, m.stirred = true, true, true
				m.lateFirings++
				return true
			}
		}
	}
	switch {
	case locked || m.alive == 0 && spinning:
		m.found(Deadlock, m.waits())
	case spinning:
		m.found(NoProgress, "retry loops wait for a change that never comes: "+m.waits())
	case m.alive > 0:
		m.found(LostWakeup, "nothing is left to happen: "+m.waits())
	}
	return false
}

// waits says what everybody waits for.
func (m *Machine) waits() string {
	var out []string
	for _, p := range m.agents {
		if p.ended || !p.live || p.daemon && p.op.kind == opWait {
			continue
		}
		s := p.name + " "
		switch o := &p.op; o.kind {
		case opLock:
			s += "waits for " + o.lk.class.name
			if w := o.lk.owner; w != nil {
				s += ", which " + w.name + " holds"
			}
		case opRLock, opWLock:
			s += "waits for " + o.rw.class.name
		case opWait:
			s += "waits for a completion"
		case opRelax:
			s += "spins on " + o.word.class.name
		default:
			s += "is at " + opNames[o.kind]
			if o.obj != nil {
				s += " of " + o.obj.class.name
			}
		}
		if c := p.core; p.kind == kindThread && c != nil {
			for _, h := range c.active {
				if h != nil {
					s += " (interrupted by " + h.name + ")"
				}
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func (m *Machine) found(k Kind, what string) {
	if m.failure == nil && !m.unwinding {
		m.failure = &Failure{Kind: k, What: what}
	}
}

// crashed is a panic of the code under test.
func (m *Machine) crashed(p *proc, r any, stack string) {
	k := Panicked
	if s, ok := r.(string); ok && strings.HasPrefix(s, "machine: ") {
		k = Exclusion
	}
	m.found(k, fmt.Sprintf("%s: %v", p.name, r))
	if m.failure != nil && m.failure.Stack == "" {
		m.failure.Stack = stack
	}
}

var _ machine.Machine = (*Machine)(nil)

func itoa(n int) string { return strconv.Itoa(n) }
