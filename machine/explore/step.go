package explore

// A step is what an agent does from one decision to the next: one operation at
// a scheduling point, and what follows it without one. The search needs to
// know which of them may be exchanged, and so keeps what each has used.

// use is one use of an object within a step.
type use struct {
	o     *object
	write bool
	// need says that the step only had to find the object in a certain state to
	// be possible, and learnt nothing from it.
	need bool
}

// uses books a use for the step at hand.
func (m *Machine) uses(o *object, write bool) {
	if m.exhaustive {
		m.step = append(m.step, use{o: o, write: write})
	}
}

// needs books that the step at hand was only possible as o is.
func (m *Machine) needs(o *object) {
	if m.exhaustive {
		m.step = append(m.step, use{o: o, need: true})
	}
}

// footprint is what one step or several in a row used, as it is remembered
// across schedules: there an object is its number. Two schedules that begin
// alike agree on the numbers of what is used up to where they part. What is new
// after that is told by its class alone.
type footprint struct {
	reads, writes       set // of objects with numbers up to old
	newReads, newWrites set // of classes
	old                 int32
}

// set is a set of numbers.
type set []uint64

func (s set) has(n int32) bool { return int(n>>6) < len(s) && s[n>>6]&(1<<(n&63)) != 0 }

func (s *set) add(n int32) {
	for int(n>>6) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[n>>6] |= 1 << (n & 63)
}

// add takes a step in. What it needed is left out: it was possible when the
// footprint was taken, and nothing that does not conflict with the rest ends
// that.
func (f *footprint) add(step []use) {
	for _, u := range step {
		if !u.need {
			reads, writes, n := f.sets(u.o)
			if u.write {
				writes.add(n)
			} else {
				reads.add(n)
			}
		}
	}
}

// sets are where an object belongs, and by which number.
func (f *footprint) sets(o *object) (reads, writes *set, n int32) {
	if o.id > f.old {
		return &f.newReads, &f.newWrites, o.class.id
	}
	return &f.reads, &f.writes, o.id
}

// conflicts reports whether a step cannot be exchanged with those of the
// footprint.
func (f *footprint) conflicts(step []use) bool {
	for _, u := range step {
		if f.uses(u.o, u.write) {
			return true
		}
	}
	return false
}

// uses reports whether an object is used so that a read or a write of it by
// another agent depends on that.
func (f *footprint) uses(o *object, write bool) bool {
	reads, writes, n := f.sets(o)
	return writes.has(n) || write && reads.has(n)
}
