package explore

import "hostlock/machine"

// Lock implements machine.Hook.
func (p *proc) Lock(l *machine.SpinLock) {
	p.ops++
	m := p.m
	lk := m.lockOf(l)
	if lk.owner == p {
		p.fail(Deadlock, "%s takes %s, which it holds already", p.name, lk.class.name)
	}
	p.mayTake(lk)
	p.at(op{kind: opLock, obj: &lk.object, lk: lk})
	p.used(opLock, &lk.object)
	p.took(lk)
}

// TryLock implements machine.Hook.
func (p *proc) TryLock(l *machine.SpinLock) bool {
	p.ops++
	lk := p.m.lockOf(l)
	p.mayTake(lk)
	p.at(op{kind: opTryLock, obj: &lk.object})
	p.used(opTryLock, &lk.object)
	if lk.owner != nil {
		return false
	}
	p.took(lk)
	return true
}

func (p *proc) took(lk *lock) {
	p.learns(lk.known)
	lk.owner = p
	p.held = append(p.held, lk)
	p.repin()
}

// Unlock implements machine.Hook.
func (p *proc) Unlock(l *machine.SpinLock) {
	m := p.m
	if m.unwinding {
		return
	}
	lk := m.lockOf(l)
	if lk.owner != p {
		p.fail(Ownership, "%s releases %s, which it does not hold", p.name, lk.class.name)
	}
	p.at(op{kind: opUnlock, obj: &lk.object})
	p.used(opUnlock, &lk.object)
	p.tells(&lk.known)
	lk.owner = nil
	for i, h := range p.held {
		if h == lk {
			p.held = append(p.held[:i], p.held[i+1:]...)
			break
		}
	}
	p.repin()
}

// RWLock implements machine.Hook.
func (p *proc) RWLock(l *machine.RWMutex, write bool) {
	p.ops++
	p.mustSleep("sleeps on " + l.Class())
	lk := p.m.rwOf(l)
	kind := opRLock
	if write {
		kind = opWLock
	}
	p.at(op{kind: kind, obj: &lk.object, rw: lk})
	p.used(kind, &lk.object)
	p.learns(lk.known)
	if write {
		p.learns(lk.shared)
		lk.writer = true
	} else {
		lk.readers++
	}
}

// RWUnlock implements machine.Hook.
func (p *proc) RWUnlock(l *machine.RWMutex, write bool) {
	lk := p.m.rwOf(l)
	p.at(op{kind: opRWUnlock, obj: &lk.object})
	p.used(opRWUnlock, &lk.object)
	if write {
		p.tells(&lk.known)
		lk.writer = false
	} else {
		p.tells(&lk.shared)
		lk.readers--
	}
	p.m.dirty = true
}
