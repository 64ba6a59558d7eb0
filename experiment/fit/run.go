package fit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"

	"hostlock/experiment"
	"hostlock/experiment/evidence"
	"hostlock/results"
)

// Options say how a plan is run, which changes no figure.
type Options struct {
	Run      experiment.Runner // nil is [experiment.Run]
	Progress func(float64)
}

// Set is one parameter set that fits.
type Set struct {
	Values  map[string]string  `json:"values"`
	Figures map[string]float64 `json:"figures"` // of each target
	Edge    []string           `json:"edge"`    // parameters that lie at the edge of their box
	z       []float64
	result  *results.Result
}

// Spread is a parameter's or an answer's range over the sets that fit.
type Spread struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Low    float64 `json:"low"`
	Median float64 `json:"median"`
	High   float64 `json:"high"`
	// LowEdge and HighEdge are the parameters that lie at the edge of their box
	// where this is lowest and highest: there a wider box may say more.
	LowEdge  []string `json:"low_edge"`
	HighEdge []string `json:"high_edge"`
	From     *float64 `json:"box_from,omitempty"` // of a parameter
	To       *float64 `json:"box_to,omitempty"`
}

// Found is what a fit found.
type Found struct {
	Experiment string            `json:"experiment"`
	Strategy   string            `json:"strategy"`
	Targets    []evidence.Target `json:"targets"`
	Searches   int               `json:"searches"`
	Runs       int               `json:"runs"`
	Parameters []Spread          `json:"parameters"`
	Answers    []Spread          `json:"answers"` // change of IOPS, in percent
	Sets       []Set             `json:"sets"`
	plan       *Plan
}

// NoFit is the error of a box in which no search met all targets.
type NoFit struct {
	Near    map[string]float64 // the figures of the nearest set
	Worst   float64            // its largest miss, in tolerances
	Text    string
	Targets []evidence.Target
}

func (e *NoFit) Error() string { return e.Text }

// edge is how near to its box's end a parameter is at it, of half the box.
const edge = 0.02

// Run searches, and runs each answer with every set that fits. Its error is a
// [*NoFit] where none does, and wraps the context's where ctx was cancelled.
func (p *Plan) Run(ctx context.Context, o Options) (*Found, error) {
	if o.Run == nil {
		o.Run = experiment.Run
	}
	pool, ends, err := p.explore(ctx, o)
	if err != nil {
		return nil, err
	}
	f := &Found{
		Experiment: p.req.Experiment.Name, Strategy: pool[0].r.Experiment.Strategy,
		Targets: p.req.Targets, Searches: len(ends), Runs: len(pool), plan: p, Sets: []Set{}, Answers: []Spread{},
	}
	taken := map[*tried]bool{}
	for _, t := range slices.Concat(ends, pool) {
		if t.worst() <= 1 && !taken[t] {
			taken[t] = true
			f.Sets = append(f.Sets, p.set(t))
		}
	}
	if len(f.Sets) == 0 {
		return nil, p.noFit(pool)
	}
	for i, k := range p.knobs {
		s := f.spread(k.Name, k.own.UnitName(), func(s Set) float64 { return k.value(s.z[i]) })
		s.From, s.To = &k.From, &k.To
		f.Parameters = append(f.Parameters, s)
	}
	return f, p.answer(ctx, f, o)
}

func (p *Plan) set(t *tried) Set {
	s := Set{Values: map[string]string{}, Figures: map[string]float64{}, Edge: []string{}, z: t.z, result: t.r}
	for i, v := range p.settings(t.z) {
		s.Values[v.Name] = v.Value
		if t.z[i] < -1+edge || t.z[i] > 1-edge {
			s.Edge = append(s.Edge, v.Name)
		}
	}
	for _, target := range p.req.Targets {
		s.Figures[target.Name], _ = t.r.Metric(target.Name)
	}
	return s
}

func (p *Plan) noFit(pool []*tried) error {
	best := slices.MinFunc(pool, func(a, b *tried) int { return cmp.Compare(a.worst(), b.worst()) })
	e := &NoFit{Near: map[string]float64{}, Worst: best.worst(), Targets: p.req.Targets}
	var near, at []string
	for _, t := range p.req.Targets {
		v, _ := best.r.Metric(t.Name)
		e.Near[t.Name] = v
		near = append(near, fmt.Sprintf("%s=%.4g for %g", t.Name, v, t.Value))
	}
	for _, v := range p.settings(best.z) {
		at = append(at, v.String())
	}
	e.Text = fmt.Sprintf("no set in the box meets the targets within their tolerance (%d runs): the nearest gives %s, with %s; a wider --box, another --vary or a larger --tolerance may",
		len(pool), strings.Join(near, ", "), strings.Join(at, ", "))
	return e
}

// answer runs the answers with every set that fits.
func (p *Plan) answer(ctx context.Context, f *Found, o Options) error {
	n := len(f.Sets)
	gains := make([]float64, len(p.req.Answers)*n)
	progress := func(done float64) {
		if o.Progress != nil {
			o.Progress(0.9 + 0.1*done)
		}
	}
	err := experiment.Each(ctx, len(gains), progress, func(ctx context.Context, i int) error {
		s := f.Sets[i%n]
		r, err := p.run(ctx, s.z, p.req.Answers[i/n], o)
		if err != nil {
			return err
		}
		gains[i] = 100 * (r.IOPS/s.result.IOPS - 1)
		return nil
	})
	if err != nil {
		return err
	}
	f.Runs += len(gains)
	for a, side := range p.req.Answers {
		i := -1
		f.Answers = append(f.Answers, f.spread(side.Name, "%", func(Set) float64 { i++; return gains[a*n+i] }))
	}
	return nil
}

// spread is the range of a value, which is asked for once a set, in order.
func (f *Found) spread(name, unit string, of func(Set) float64) Spread {
	values := make([]float64, len(f.Sets))
	low, high := 0, 0
	for i, s := range f.Sets {
		if values[i] = of(s); values[i] < values[low] {
			low = i
		}
		if values[i] > values[high] {
			high = i
		}
	}
	return Spread{
		Name: name, Unit: unit, Low: values[low], High: values[high],
		Median:  stats.Sample{Xs: slices.Clone(values)}.Quantile(0.5),
		LowEdge: f.Sets[low].Edge, HighEdge: f.Sets[high].Edge,
	}
}

// Kept are the sets as `lab compare --sets` reads them.
func (f *Found) Kept() *evidence.Sets {
	out := &evidence.Sets{
		Experiment: f.Experiment, Basis: evidence.Basis(f.plan.req.Experiment), Figures: f.Targets,
		About: fmt.Sprintf("lab fit: %d searches within a box", f.Searches),
	}
	for _, s := range f.Sets {
		out.Sets = append(out.Sets, evidence.Values{Set: slices.Concat(f.plan.req.All.Set, f.plan.settings(s.z))})
	}
	return out
}
