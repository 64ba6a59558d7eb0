package explore

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
