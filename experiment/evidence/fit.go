package evidence

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"hostlock/experiment/spec"
	"hostlock/machine/param"
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

	drawn   []param.Setting // the values of the parameters that are not fitted
	sockets int
}

// Set is the values as --set takes them.
func (f Fit) Set() []param.Setting {
	out := make([]param.Setting, len(f.Knobs))
	for i, k := range f.Knobs {
		out[i] = param.Setting{Name: k, Value: nanoseconds(f.Values[i]), Source: "tried"}
	}
	return out
}

// maxRounds bounds a fit; near the published figures four or five rounds do.
const maxRounds = 12

// Solver fits knobs to rows: damped least squares (Levenberg-Marquardt) on
// the distance from the published figures in bands, over the logarithms of the
// knobs. The damping matters: two knobs may do nearly the same, and an undamped
// step would run off along what tells them apart. The first derivative is made
// once and serves all further fits.
type Solver struct {
	setup    *Setup
	knobs    []string
	rows     []string
	jacobian *mat.Dense // bands per logarithm
	start    []float64
	// Trace, where not nil, is called with every set of values that is tried.
	Trace func(Fit)
}

// NewSolver measures how each knob moves each row, from the experiment's own
// values on. There are at most as many knobs as rows, and each knob is a
// duration.
func NewSolver(ctx context.Context, s *Setup, knobs, rows []string) (*Solver, error) {
	if len(knobs) > len(rows) || len(knobs) == 0 {
		return nil, spec.Usagef("%d parameters to fit to %d figures; legal: 1 to as many as there are figures", len(knobs), len(rows))
	}
	params, err := s.parameters()
	if err != nil {
		return nil, err
	}
	sv := &Solver{setup: s, knobs: knobs, rows: rows, jacobian: mat.NewDense(len(rows), len(knobs), nil)}
	for _, row := range rows {
		if _, ok := s.Table.Figure(row); !ok {
			return nil, spec.Usagef("no figure %q in the published table; legal: %v", row, s.Table.RowNames())
		}
	}
	for _, k := range knobs {
		i := slices.IndexFunc(params, func(v param.Value) bool { return v.Name == k && v.Num > 0 && v.Kind == param.Duration })
		if i < 0 {
			return nil, spec.Usagef("no duration %q above zero to fit", k)
		}
		sv.start = append(sv.start, params[i].Num)
	}
	// Two-sided differences, wide enough to stand above the scatter of a run.
	const width = 0.1
	samples := make([]*mat.VecDense, 2*len(knobs))
	err = s.each(ctx, len(samples), func(ctx context.Context, i int) error {
		x := append([]float64(nil), sv.start...)
		x[i/2] *= math.Exp(width * float64(1-2*(i%2)))
		fit, err := sv.try(ctx, s.Spec, s.Seed, x, nil)
		samples[i] = sv.miss(fit)
		return err
	})
	if err != nil {
		return nil, err
	}
	for j := range knobs {
		for i := range rows {
			sv.jacobian.Set(i, j, (samples[2*j].AtVec(i)-samples[2*j+1].AtVec(i))/(2*width))
		}
	}
	return sv, nil
}

func (sv *Solver) try(ctx context.Context, e *spec.Spec, seed uint64, x []float64, set []param.Setting) (Fit, error) {
	fit := Fit{Knobs: sv.knobs, Rows: sv.rows, Values: append([]float64(nil), x...)}
	f, err := sv.setup.measure(ctx, e, seed, slices.Concat(set, fit.Set()))
	if err != nil {
		return fit, err
	}
	fit.Figures = f
	for _, m := range sv.miss(fit).RawVector().Data {
		fit.Worst = math.Max(fit.Worst, math.Abs(m))
	}
	if sv.Trace != nil {
		sv.Trace(fit)
	}
	return fit, nil
}

// miss is how far each row lies from its published value, in bands.
func (sv *Solver) miss(fit Fit) *mat.VecDense {
	v := mat.NewVecDense(len(sv.rows), nil)
	for i, row := range sv.rows {
		want, _ := sv.setup.Table.Figure(row)
		v.SetVec(i, (fit.Figures[row]-want.Value)/want.Band.Width(want.Value))
	}
	return v
}

var errNoFit = errors.New("no values of these parameters meet the figures")

// Solve finds values at which every row lies within so many bands of its
// published value, with other parameters set as given. Where it finds none it
// returns the best that it tried, with an error.
func (sv *Solver) Solve(ctx context.Context, e *spec.Spec, seed uint64, set []param.Setting, within float64) (Fit, error) {
	best, err := sv.try(ctx, e, seed, sv.start, set)
	if err != nil {
		return best, err
	}
	jac := mat.DenseCopyOf(sv.jacobian)
	damping := 1.0
	for range maxRounds {
		if best.Worst <= within {
			return best, nil
		}
		miss := sv.miss(best)
		step, err := damped(jac, miss, damping)
		if err != nil {
			return best, errNoFit
		}
		x := append([]float64(nil), best.Values...)
		for j := range x {
			x[j] *= math.Exp(step.AtVec(j))
		}
		next, err := sv.try(ctx, e, seed, x, set)
		if err != nil {
			return best, err
		}
		update(jac, miss, sv.miss(next), step)
		if mat.Norm(sv.miss(next), 2) < mat.Norm(miss, 2) {
			best, damping = next, damping/4
		} else {
			damping *= 4
		}
	}
	if best.Worst <= within {
		return best, nil
	}
	return best, errNoFit
}

// damped solves (J'J + damping) step = -J' miss. A step of more than half
// leaves the region that the derivative describes, so it is cut.
func damped(jac *mat.Dense, miss *mat.VecDense, damping float64) (*mat.VecDense, error) {
	_, n := jac.Dims()
	var normal mat.Dense
	normal.Mul(jac.T(), jac)
	for j := range n {
		normal.Set(j, j, normal.At(j, j)+damping)
	}
	var right mat.VecDense
	right.MulVec(jac.T(), miss)
	right.ScaleVec(-1, &right)
	step := mat.NewVecDense(n, nil)
	if err := step.SolveVec(&normal, &right); err != nil {
		return nil, err
	}
	for j := range n {
		step.SetVec(j, math.Max(-0.5, math.Min(0.5, step.AtVec(j))))
	}
	return step, nil
}

// smallStep is a change of the parameters, in logarithms, below which a run
// says nothing new about the derivative: what it does is mostly scatter.
const smallStep = 0.15

// update is Broyden's: the smallest change of the derivative that explains
// what the last step did.
func update(jac *mat.Dense, before, after, step *mat.VecDense) {
	norm := mat.Dot(step, step)
	if norm < smallStep*smallStep {
		return
	}
	var predicted, surprise mat.VecDense
	predicted.MulVec(jac, step)
	surprise.SubVec(after, before)
	surprise.SubVec(&surprise, &predicted)
	var rank mat.Dense
	rank.Outer(1/norm, &surprise, step)
	jac.Add(jac, &rank)
}
