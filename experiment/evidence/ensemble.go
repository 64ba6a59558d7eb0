package evidence

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"sync"

	"gonum.org/v1/gonum/stat"

	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/machine/param"
)

// Spread is how far one published row scatters over an ensemble.
type Spread struct {
	Row                       string
	Published                 float64
	Min, P5, Median, P95, Max float64
	UsedToFit                 bool
}

// Ensembled is what an ensemble found.
type Ensembled struct {
	Tried, Met int
	Rows       []Spread
	// Knobs is how far the fitted parameters themselves scatter.
	Knobs []Spread
	Fits  []Fit
}

// wrongBy is how wrong a cited or assumed number may be, as a factor either
// way: the spread among the sources where there are several (a cache line's
// way across sockets is 98 to 197 ns), and a common measure for the others.
const wrongBy = 1.5

// Ensemble draws n sets of all parameters that are not fitted, each within a
// factor of its value, with 1 to 8 sockets, fits the others anew to the
// figures that the experiment was fitted by, and reports how the rest of the
// table scatters over the sets that meet those figures within their bands. Where
// ctx ends it returns what the sets that were done say, and ctx's error; nil
// where none was.
func (s *Setup) Ensemble(ctx context.Context, n int, knobs, rows []string) (*Ensembled, error) {
	sv, err := NewSolver(ctx, s, knobs, rows)
	if err != nil {
		return nil, err
	}
	params, err := s.parameters()
	if err != nil {
		return nil, err
	}
	e := &Ensembled{}
	fits := make([]*Fit, n)
	var mu sync.Mutex
	err = s.each(ctx, n, func(ctx context.Context, i int) error {
		x, set := s.draw(params, knobs, i)
		fit, err := sv.Solve(ctx, x, s.Seed+uint64(i), set, 0.5)
		if err != nil && !errors.Is(err, errNoFit) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		e.Tried++
		if fit.Worst <= 1 {
			fit.drawn, fit.sockets = set, x.Sockets
			fits[i] = &fit
		}
		return nil
	})
	if err != nil && ctx.Err() == nil || e.Tried == 0 {
		return nil, err
	}
	for _, f := range fits {
		if f != nil {
			e.Fits = append(e.Fits, *f)
		}
	}
	e.Met = len(e.Fits)
	for _, fig := range s.Table.Figures {
		row := fig.Row()
		sp := spread(row, e.Fits, func(f Fit) float64 { return f.Figures[row] })
		sp.Published, sp.UsedToFit = fig.Value, slices.Contains(rows, row)
		e.Rows = append(e.Rows, sp)
	}
	for j, k := range knobs {
		sp := spread(k, e.Fits, func(f Fit) float64 { return f.Values[j] })
		sp.Published = math.NaN()
		e.Knobs = append(e.Knobs, sp)
	}
	return e, err
}

// draw makes the i-th set of parameters that are not fitted.
func (s *Setup) draw(params []param.Value, knobs []string, i int) (*spec.Spec, []param.Setting) {
	r := machine.Rand(s.Seed, "ensemble/"+strconv.Itoa(i))
	e := *s.Spec
	e.Sockets = 1 << r.IntN(4)
	var set []param.Setting
	for _, v := range params {
		// Drawn for every parameter, used or not, so that one more does not
		// change all sets.
		f := math.Exp((2*r.Float64() - 1) * math.Log(wrongBy))
		if slices.Contains(knobs, v.Name) || v.Kind != param.Duration && v.Kind != param.Float {
			continue
		}
		if text := scaled(v, f); text != "" {
			set = append(set, param.Setting{Name: v.Name, Value: text, Source: "drawn"})
		}
	}
	return &e, set
}

func spread(name string, fits []Fit, of func(Fit) float64) Spread {
	if len(fits) == 0 {
		return Spread{Row: name}
	}
	x := make([]float64, len(fits))
	for i, f := range fits {
		x[i] = of(f)
	}
	slices.Sort(x)
	q := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, x, nil) }
	return Spread{Row: name, Min: x[0], P5: q(0.05), Median: q(0.5), P95: q(0.95), Max: x[len(x)-1]}
}
