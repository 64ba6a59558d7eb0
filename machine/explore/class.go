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
