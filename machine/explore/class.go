package explore

// class is what all objects of one name have in common. Classes outlive the
// schedules of a search, which learns from them.
type class struct {
	name  string
	id    int32
	start uint64 // the history of an object that nobody has used
	named int    // how many have a number in the trace at hand

	// Whether it has ever mattered, for an operation on an object of the class
	// that reads or that writes, what another agent did before it: see
	// search.learn. Always says so of all that agents do together with one.
	reads, writes, always bool
}

func (m *Machine) classOf(name string) *class {
	c := m.classes[name]
	if c == nil {
		c = &class{name: name, id: int32(len(m.classes)), start: start(name)}
		m.classes[name] = c
	}
	return c
}

// object is what every kind of thing that agents share has: a name for
// reports, and the history that says which orders are equal.
type object struct {
	class *class
	nr    int    // among its class, from 1, in the order in which a trace names them
	id    int32  // in the order in which a schedule first uses them
	hash  uint64 // of the last operation that changed it
	reads uint64 // of those since that did not
	// The one agent that has read it, and the one that has written; several
	// where there were two or more.
	reader, writer *proc
	known          clock // what those who changed it knew
}

// several stands for more than one agent.
var several = new(proc)

// another reports whether who is somebody else than p.
func another(who, p *proc) bool { return who != nil && who != p }

func (m *Machine) object(name string) object {
	c := m.classOf(name)
	m.objects++
	return object{class: c, hash: c.start, id: m.objects}
}

// manyAsleep is above how many sleepers only the same ones count as met before,
// and none: fewer asleep is more that was tried.
const manyAsleep = 4

// met reports whether everything has been here before with as much of the
// bound left and nobody else asleep, and remembers it otherwise. Who made the
// last step counts only where it is on, and so has a way that is free.
func (s *search) met(m *Machine, cur *proc, on bool) bool {
	base := m.signature
	if on {
		base = mix(base, cur.hash)
	}
	left := int8(min(s.bound-s.used, 100) + 1)
	n := len(s.asleep)
	every := 1<<n - 1
	for set := 0; set <= every; set++ {
		if n > manyAsleep && set != 0 {
			set = every
		}
		if s.seen[s.key(base, set)] >= left {
			return true
		}
	}
	s.seen[s.key(base, every)] = left
	return false
}

// key is of a situation in which some of the sleepers are asleep.
func (s *search) key(base uint64, set int) uint64 {
	for i := range s.asleep {
		if set&(1<<i) != 0 {
			kind := uint64(11)
			if s.asleep[i].left {
				kind = 12
			}
			base += mix(s.asleep[i].p.hash, kind)
		}
	}
	return base
}
