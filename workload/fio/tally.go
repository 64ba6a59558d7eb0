package fio

import (
	"math"
	"math/bits"
	"time"
)

// tally is what a clone has done within the window, its own ramp_time apart.
type tally struct {
	did     [2]side
	flushes int64
	errors  int64
	depth   [7]int64 // operations submitted with 1, 2, 4, 8, 16, 32, 64 and more under way
	handed  int64    // requests that they became
}

// side is one direction.
type side struct {
	ops, bytes  int64
	sum, square float64 // latency, ns
	least, most time.Duration
}

func (s *side) count(n int64, lat time.Duration) {
	if s.ops == 0 || lat < s.least {
		s.least = lat
	}
	s.most = max(s.most, lat)
	s.ops++
	s.bytes += n
	s.sum += float64(lat)
	s.square += float64(lat) * float64(lat)
}

func (s *side) add(o *side) {
	if o.ops == 0 {
		return
	}
	if s.ops == 0 || o.least < s.least {
		s.least = o.least
	}
	s.most = max(s.most, o.most)
	s.ops += o.ops
	s.bytes += o.bytes
	s.sum += o.sum
	s.square += o.square
}

// mean and deviation are in nanoseconds.
func (s *side) mean() float64 { return s.sum / math.Max(float64(s.ops), 1) }
func (s *side) deviation() float64 {
	m := s.mean()
	return math.Sqrt(math.Max(s.square/math.Max(float64(s.ops), 1)-m*m, 0))
}

func (y *tally) issued(n int64, depth int) { y.depth[min(bits.Len(uint(max(depth, 1)))-1, 6)] += n }

func (y *tally) add(o *tally) {
	for d := range y.did {
		y.did[d].add(&o.did[d])
	}
	for i := range y.depth {
		y.depth[i] += o.depth[i]
	}
	y.flushes += o.flushes
	y.errors += o.errors
	y.handed += o.handed
}
