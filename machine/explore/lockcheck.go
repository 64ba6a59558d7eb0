package explore

import "fmt"

// Contexts that a lock was taken in.
const (
	usedHard     = 1 << iota // in a hardware interrupt
	usedSoft                 // in a softirq
	usedOn                   // with interrupts on, in a thread
	usedOnInSoft             // with interrupts on, in a softirq
)

// mayTake checks what the kernel's lockdep checks, before p waits for a lock:
// where it is, and what it holds. What goes wrong only under another order of
// operations is found without that order.
func (p *proc) mayTake(lk *lock) {
	m := p.m
	if m.unwinding {
		return
	}
	switch {
	case p.kind == kindDevice:
		p.fail(InterruptSafety, "the device %s takes %s: hardware has no locks", p.name, lk.class.name)
	case p.kind == kindHard:
		lk.used |= usedHard
	case p.kind == kindSoft:
		lk.used |= usedSoft
		if !p.irqOff {
			lk.used |= usedOnInSoft
		}
	case !p.irqOff:
		lk.used |= usedOn
	}
	switch {
	case lk.used&usedHard != 0 && lk.used&(usedOn|usedOnInSoft) != 0:
		p.fail(InterruptSafety, "%s is taken by a hardware interrupt, and elsewhere with interrupts on: the handler would wait for whom it interrupted", lk.class.name)
	case lk.used&usedSoft != 0 && lk.used&usedOn != 0:
		p.fail(InterruptSafety, "%s is taken by a softirq, and elsewhere with interrupts on: the handler would wait for whom it interrupted", lk.class.name)
	}
	for _, h := range p.held {
		outer, inner := h.class.name, lk.class.name
		pair := Nesting{outer, inner}
		if m.allowed[pair] {
			continue
		}
		if reverse := (Nesting{inner, outer}); m.allowed[reverse] || m.nested[reverse] {
			p.fail(LockOrder, "%s takes %s while it holds %s; elsewhere %s is taken within %s", p.name, inner, outer, outer, inner)
		}
		if outer == inner && h != lk {
			p.fail(LockOrder, "%s takes a second %s while it holds one", p.name, inner)
		}
		m.nested[pair] = true
	}
}

// mustSleep checks that an agent may give its core up.
func (p *proc) mustSleep(what string) {
	switch {
	case p.m.unwinding:
	case p.kind != kindThread:
		p.fail(Sleeping, "%s %s in a handler", p.name, what)
	case p.irqOff:
		p.fail(Sleeping, "%s %s with interrupts off", p.name, what)
	case len(p.held) > 0:
		p.fail(Sleeping, "%s %s while it holds %s", p.name, what, p.held[0].class.name)
	}
}

// fail ends the schedule with a finding.
// InterruptsOff reports whether whoever takes a step now has the interrupts of
// its core off. It is no scheduling point.
func (m *Machine) InterruptsOff() bool { return m.running.irqOff }

// Fail ends the schedule with a failure of whoever takes a step now, where it
// stands: a test calls it that looks at the code under test from within.
func (m *Machine) Fail(k Kind, format string, args ...any) { m.running.fail(k, format, args...) }

func (p *proc) fail(k Kind, format string, args ...any) {
	p.m.found(k, fmt.Sprintf(format, args...))
	panic(unwound{})
}
