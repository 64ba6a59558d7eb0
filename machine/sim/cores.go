package sim

import "math/bits"

// cores is a set of cores. The first 64 lie in the set itself, so that a
// machine of no more has a line's whole state in one place.
type cores struct {
	low  uint64
	high []uint64 // from core 64 on
}

func noCores(of int) cores {
	if of <= 64 {
		return cores{}
	}
	return cores{high: make([]uint64, (of-1)/64)}
}

func (s *cores) has(c int) bool {
	if c < 64 {
		return s.low>>c&1 != 0
	}
	return s.high[c>>6-1]>>(c&63)&1 != 0
}

func (s *cores) add(c int) {
	if c < 64 {
		s.low |= 1 << c
		return
	}
	s.high[c>>6-1] |= 1 << (c & 63)
}

// only makes c the set's one core.
func (s *cores) only(c int) {
	s.low = 0
	clear(s.high)
	s.add(c)
}

// are reports whether c is the set's one core.
func (s *cores) are(c int) bool {
	if !s.has(c) {
		return false
	}
	n := bits.OnesCount64(s.low)
	for _, w := range s.high {
		n += bits.OnesCount64(w)
	}
	return n == 1
}

// first is the lowest core of the set, or -1.
func (s *cores) first() int {
	if s.low != 0 {
		return bits.TrailingZeros64(s.low)
	}
	for i, w := range s.high {
		if w != 0 {
			return (i+1)<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}
