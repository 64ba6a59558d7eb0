package ffsb

import (
	"math/rand/v2"

	"hostlock/workload/ffsb/profile"
)

// picker picks operations by their weights.
type picker struct {
	ops  []profile.Op
	upTo []int // sums of weights
	sum  int
}

func newPicker(g *profile.ThreadGroup) picker {
	var p picker
	for _, op := range profile.Ops() {
		if w := g.Weights[op].V; w > 0 {
			p.sum += w
			p.ops, p.upTo = append(p.ops, op), append(p.upTo, p.sum)
		}
	}
	return p
}

func (p *picker) pick(r *rand.Rand) profile.Op {
	n := r.IntN(p.sum)
	for i, most := range p.upTo {
		if n < most {
			return p.ops[i]
		}
	}
	panic("ffsb: weights changed while they were drawn from")
}

// drawSize draws a new file's size in bytes, as FFSB does: by weight, or evenly
// from the smallest size up to, and without, the largest.
func drawSize(r *rand.Rand, f *profile.Filesystem) int64 {
	if len(f.SizeWeights) == 0 {
		size := f.MinSize.V
		if span := f.MaxSize.V - f.MinSize.V; span > 0 {
			size += r.Int64N(span)
		}
		return size
	}
	sum := 0
	for _, w := range f.SizeWeights {
		sum += w.Weight
	}
	n := 1 + r.IntN(sum)
	for _, w := range f.SizeWeights {
		if n <= w.Weight {
			return w.Size
		}
		n -= w.Weight
	}
	panic("ffsb: weights changed while they were drawn from")
}

// randomOffset is FFSB's place for a seek: in [0, span), on 4096 bytes where
// aligned. A span of less than that leaves 0.
func randomOffset(r *rand.Rand, span int64, aligned bool) int64 {
	if aligned {
		return randomOffset(r, span/4096, false) * 4096
	}
	if span <= 0 {
		return 0
	}
	return r.Int64N(span)
}
