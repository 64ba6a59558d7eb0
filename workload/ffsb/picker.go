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
