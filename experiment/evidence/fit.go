package evidence

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"hostlock/experiment"
)

// Fit is a set of values of the fitted parameters.
type Fit struct {
	Knobs  []string // parameter names
	Values []float64
	Rows   []string // published rows that they were chosen by
	// Worst is the largest distance of one of those rows from its published
	// value, in bands: 1 is the band's edge.
	Worst   float64
	Figures figures
}

// Set is the values as --set takes them.
func (f Fit) Set() []string {
	out := make([]string, len(f.Knobs))
	for i, k := range f.Knobs {
		out[i] = k + "=" + nanoseconds(f.Values[i])
	}
	return out
}

// maxRounds bounds a fit; near the published figures four or five rounds do.
const maxRounds = 14

// Solver fits knobs to rows by a secant method (Broyden's) in logarithms,
// where the model is near linear over a factor of two. Its first derivative is
// made once and serves all further fits.
type Solver struct {
	setup    *Setup
	knobs    []string
	rows     []string
	jacobian *mat.Dense
	start    []float64
}

// NewSolver measures how each knob moves each row, from the experiment's own
// values on. There are as many knobs as rows, and each knob is a duration.
func NewSolver(ctx context.Context, s *Setup, knobs, rows []string) (*Solver, error) {
	if len(knobs) != len(rows) || len(knobs) == 0 {
		return nil, fmt.Errorf("%d parameters to fit to %d figures; legal: as many of one as of the other", len(knobs), len(rows))
	}
	params, err := experiment.Parameters(s.Spec, experiment.Options{Machine: "sim"})
	if err != nil {
		return nil, err
	}
	sv := &Solver{setup: s, knobs: knobs, rows: rows, jacobian: mat.NewDense(len(rows), len(knobs), nil)}
	for _, k := range knobs {
		found := false
		for _, v := range params {
			if v.Name == k && v.Num > 0 {
				sv.start, found = append(sv.start, v.Num), true
			}
		}
		if !found {
			return nil, experiment.Usagef("no parameter %q above zero to fit", k)
		}
	}
	// Two-sided differences, wide enough to stand above the scatter of a run.
	const width = 0.1
	type sample struct{ f figures }
	samples := make([]sample, 2*len(knobs))
	err = s.each(ctx, len(samples), func(ctx context.Context, i int) error {
		x := append([]float64(nil), sv.start...)
		x[i/2] *= math.Exp(width * float64(1-2*(i%2)))
		f, err := s.measure(ctx, s.Spec, s.Seed, Fit{Knobs: knobs, Values: x}.Set())
		samples[i] = sample{f}
		return err
	})
	if err != nil {
		return nil, err
	}
	for j := range knobs {
		for i, row := range rows {
			sv.jacobian.Set(i, j, (math.Log(samples[2*j].f[row])-math.Log(samples[2*j+1].f[row]))/(2*width))
		}
	}
	return sv, nil
}

var errNoFit = errors.New("no values of these parameters meet the figures")

// Solve finds values at which every row lies within tight bands of its
// published value, with other parameters set as given.
func (sv *Solver) Solve(ctx context.Context, spec *experiment.Spec, seed uint64, set []string, tight float64) (Fit, error) {
	n := len(sv.knobs)
	x := append([]float64(nil), sv.start...)
	jac := mat.DenseCopyOf(sv.jacobian)
	var last, step *mat.VecDense
	best := Fit{Worst: math.Inf(1)}
	for range maxRounds {
		try := Fit{Knobs: sv.knobs, Rows: sv.rows, Values: append([]float64(nil), x...)}
		f, err := sv.setup.measure(ctx, spec, seed, append(append([]string(nil), set...), try.Set()...))
		if err != nil {
			return best, err
		}
		try.Figures = f
		miss := mat.NewVecDense(n, nil)
		for i, row := range sv.rows {
			want, _ := sv.setup.Table.Figure(row)
			miss.SetVec(i, math.Log(math.Max(f[row], 1e-3)/want.Value))
			try.Worst = math.Max(try.Worst, math.Abs(f[row]-want.Value)/want.Band.Width(want.Value))
		}
		if try.Worst < best.Worst {
			best = try
		}
		if best.Worst <= tight {
			return best, nil
		}
		if last != nil {
			update(jac, last, miss, step)
		}
		next := mat.NewVecDense(n, nil)
		if err := next.SolveVec(jac, miss); err != nil {
			return best, errNoFit
		}
		for j := range x {
			// A step of more than half leaves the region that the derivative
			// describes.
			d := math.Max(-0.5, math.Min(0.5, -next.AtVec(j)))
			next.SetVec(j, d)
			x[j] *= math.Exp(d)
		}
		last, step = miss, next
	}
	return best, errNoFit
}

// update is Broyden's: the smallest change of the derivative that explains
// what the last step did.
func update(jac *mat.Dense, before, after, step *mat.VecDense) {
	var predicted, surprise mat.VecDense
	predicted.MulVec(jac, step)
	surprise.SubVec(after, before)
	surprise.SubVec(&surprise, &predicted)
	if norm := mat.Dot(step, step); norm > 1e-12 {
		var rank mat.Dense
		rank.Outer(1/norm, &surprise, step)
		jac.Add(jac, &rank)
	}
}
