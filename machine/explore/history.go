package explore

// Two orders of operations are equal where they order the same pairs of
// dependent operations alike: then every agent sees the same, and the same
// becomes of everything. The history of an agent is a hash of all that its last
// operation depends on; the histories of all agents together say which
// orders are equal, whichever way they were reached.
//
// All that agents tell one another must be ordered by operations that the
// machine sees. What they tell one another by plain fields is, unless it is a
// race, which is a finding.

func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ b
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 29
	return x
}

// start is the history of something that has none yet.
func start(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return mix(h, 1)
}

func (p *proc) setHash(h uint64) {
	p.m.signature += mix(h, 7) - mix(p.hash, 7)
	p.hash = h
}

// did records an operation on nothing shared.
func (p *proc) did(k opKind) {
	m := p.m
	if m.exhaustive {
		p.setHash(mix(p.hash, uint64(k)))
	}
	if m.tracing {
		m.record(p, k, nil)
	}
}

// used records an operation on an object.
func (p *proc) used(k opKind, o *object) {
	p.follows(k, o)
	if p.m.tracing {
		p.m.record(p, k, o)
	}
}

// follows has an operation come after those that it depends on.
func (p *proc) follows(k opKind, o *object) {
	m := p.m
	if !m.exhaustive {
		return
	}
	h := mix(mix(p.hash, o.hash), uint64(k))
	if k.writes() {
		h = mix(h, o.reads)
		m.before = before{p.hash, o.hash, o.reads}
		o.hash, o.reads = h, 0
	} else {
		o.reads += mix(h, 3)
	}
	p.setHash(h)
	m.uses(o, k.writes())
}

// before is how histories were before an operation that may turn out to have
// changed nothing.
type before struct{ agent, object, reads uint64 }

// missed makes the last operation, a compare-and-swap, one that has only read.
func (p *proc) missed(o *object) {
	m := p.m
	if m.exhaustive {
		o.hash, o.reads = m.before.object, m.before.reads
		p.setHash(m.before.agent)
		m.step = m.step[:len(m.step)-1]
	}
	if m.tracing {
		m.trace, m.changing = m.trace[:len(m.trace)-1], nil
	}
	p.used(opMiss, o)
}
