package fit

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"hostlock/experiment"
	"hostlock/experiment/compare"
	"hostlock/machine"
	"hostlock/results"
)

// tried is a place of the box, and what a run there gave.
type tried struct {
	z    []float64
	miss []float64 // each target's, in tolerances
	r    *results.Result
}

// worst is the largest miss; up to 1 all targets are met.
func (t *tried) worst() float64 {
	w := 0.0
	for _, m := range t.miss {
		w = max(w, math.Abs(m))
	}
	return w
}

// search is one way from a place of the box towards the targets. Each aims at a
// point of its own within the tolerances, so that the sets which they end at are
// not one set many times.
type search struct {
	at      *tried
	aim     []float64
	damping float64
}

const (
	maxRounds = 8
	// halfway cuts a step that leaves the region which the pool describes, in
	// halves of the box.
	halfway = 0.5
	// inner keeps aims within the tolerances by more than a run's scatter.
	inner = 0.6
)

// explore runs the searches in step: each round proposes from what all runs
// before it found, so that the same seed gives the same sets on any number of
// processors.
func (p *Plan) explore(ctx context.Context, o Options) (pool []*tried, ends []*tried, err error) {
	r := machine.Rand(p.req.All.Seed.N, "fit")
	n := max(p.req.Searches, 4*len(p.knobs))
	starts := make([][]float64, n)
	for i := 1; i < n; i++ {
		starts[i] = halton(i, len(p.knobs))
	}
	starts[0] = make([]float64, len(p.knobs)) // where the file's own values are, mostly
	for i, k := range p.knobs {
		starts[0][i] = min(1, max(-1, k.place(k.own.Num)))
	}
	rounds := float64(maxRounds + 1)
	pool, err = p.tryAll(ctx, starts, o, 0, 1/rounds)
	if err != nil {
		return nil, nil, err
	}
	searches := make([]*search, p.req.Searches)
	for i := range searches {
		s := &search{at: pool[i], aim: make([]float64, len(p.req.Targets)), damping: 1}
		for j := range s.aim {
			s.aim[j] = inner * (2*r.Float64() - 1)
		}
		searches[i] = s
	}
	for round := range maxRounds {
		var open []*search
		var next [][]float64
		for _, s := range searches {
			if s.at.worst() > 1 {
				open, next = append(open, s), append(next, s.step(pool))
			}
		}
		if len(open) == 0 {
			break
		}
		found, err := p.tryAll(ctx, next, o, float64(round+1)/rounds, 1/rounds)
		if err != nil {
			return nil, nil, err
		}
		for i, s := range open {
			if distance(found[i].miss, s.aim) < distance(s.at.miss, s.aim) {
				s.at, s.damping = found[i], s.damping/4
			} else {
				s.damping *= 4
			}
		}
		pool = append(pool, found...)
	}
	for _, s := range searches {
		ends = append(ends, s.at)
	}
	return pool, ends, nil
}

func (p *Plan) tryAll(ctx context.Context, places [][]float64, o Options, from, share float64) ([]*tried, error) {
	out := make([]*tried, len(places))
	progress := func(done float64) {
		if o.Progress != nil {
			o.Progress(0.9 * (from + share*done))
		}
	}
	err := experiment.Each(ctx, len(places), progress, func(ctx context.Context, i int) error {
		r, err := p.run(ctx, places[i], compare.Side{}, o)
		if err != nil {
			return err
		}
		out[i] = &tried{z: places[i], r: r}
		for _, t := range p.req.Targets {
			v, _ := r.Metric(t.Name)
			// On a scale of logarithms a share of 0.3 is as far from 3 as 30 is.
			out[i].miss = append(out[i].miss, t.Value/t.Tolerance*math.Log(max(v, t.Value/1e3)/t.Value))
		}
		return nil
	})
	return out, err
}

func (p *Plan) run(ctx context.Context, z []float64, side compare.Side, o Options) (*results.Result, error) {
	plan, err := p.one(z, side)
	if err != nil {
		return nil, err
	}
	return compare.Whole(ctx, o.Run, plan, experiment.Options{})
}

// step is the next place of a search: a damped step of least squares
// (Levenberg-Marquardt), with the derivative that the runs near by tell.
func (s *search) step(pool []*tried) []float64 {
	jac := slope(s.at, pool)
	m, k := jac.Dims()
	gap := mat.NewVecDense(m, nil)
	for i := range m {
		gap.SetVec(i, s.aim[i]-s.at.miss[i])
	}
	var normal mat.Dense
	normal.Mul(jac.T(), jac)
	scale := mat.Trace(&normal) / float64(k)
	for j := range k {
		normal.Set(j, j, normal.At(j, j)+1e-3*s.damping*scale+1e-9)
	}
	var right, step mat.VecDense
	right.MulVec(jac.T(), gap)
	z := slices.Clone(s.at.z)
	if err := step.SolveVec(&normal, &right); err != nil {
		return z
	}
	for j := range z {
		z[j] = max(-1, min(1, z[j]+max(-halfway, min(halfway, step.AtVec(j)))))
	}
	return z
}

// slope is the derivative of the misses at a place: a linear regression over
// the runs, the near ones counting more.
func slope(at *tried, pool []*tried) *mat.Dense {
	k, m := len(at.z), len(at.miss)
	near := slices.Clone(pool)
	slices.SortStableFunc(near, func(a, b *tried) int {
		return cmp.Compare(distance(a.z, at.z), distance(b.z, at.z))
	})
	near = near[:min(len(near), 3*k+2)]
	width := max(distance(near[len(near)-1].z, at.z), 1e-6)
	rows := mat.NewDense(len(near)+k, k, nil)
	values := mat.NewDense(len(near)+k, m, nil)
	for i, t := range near {
		d := distance(t.z, at.z) / width
		w := math.Exp(-2 * d * d)
		for j := range k {
			rows.Set(i, j, w*(t.z[j]-at.z[j]))
		}
		for j := range m {
			values.Set(i, j, w*(t.miss[j]-at.miss[j]))
		}
	}
	for j := range k { // a ridge, for a direction that no run tells of
		rows.Set(len(near)+j, j, 1e-4)
	}
	var beta mat.Dense
	if err := beta.Solve(rows, values); err != nil {
		return mat.NewDense(m, k, nil)
	}
	return mat.DenseCopyOf(beta.T())
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum)
}

// halton is the i-th point of Halton's sequence, which fills a box evenly,
// over -1 to 1.
func halton(i, dimensions int) []float64 {
	primes := []int{2, 3, 5, 7, 11, 13, 17, 19}
	out := make([]float64, dimensions)
	for d := range out {
		base := primes[d%len(primes)]
		f, v := 1.0, 0.0
		for n := i + d/len(primes); n > 0; n /= base {
			f /= float64(base)
			v += f * float64(n%base)
		}
		out[d] = 2*v - 1
	}
	return out
}
