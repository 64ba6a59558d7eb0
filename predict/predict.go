package predict

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"hostlock/designs"
	"hostlock/lockload"
)

// Request is what is asked of a model.
type Request struct {
	Cores   []int // empty is once, twice and four times the recorded processors
	Designs []designs.Info
	Parts   int     // shards, or writes a batch; 0 is the design's own choice
	Reads   float64 // share of acquisitions that would be reads, under designs with readers
	// Workers is how many simulations go side by side.
	Workers  int
	Progress func(share float64)
}

const (
	// beyond is how many times the recorded processors the simulator is asked for:
	// further away what it leaves out (a memory bus, another lock) decides.
	beyond = 4
	// tooWide is the ratio of a range's ends from which there is no prediction.
	tooWide = 2.0
	// settled is the length of a simulated window, in holds and pauses.
	settled = 6000
)

// ValidatedTo is up to how many processors the method was held against programs
// that were run: BENCHMARKS.md has them.
const ValidatedTo = 2

// causes are what a record leaves open: each is varied by itself.
var causes = []struct {
	name, measure string
	low, high     variant
	matters       func(*Model) bool
}{
	{
		"whether pauses are random or regular", "a record of the real traffic, not of a benchmark's loop",
		with(func(v *variant) { v.other = true }), base, nil,
	},
	{
		"how long the scheduler takes to wake a goroutine", "lab calibrate on the computer in question, and --costs",
		with(func(v *variant) { v.wake = 3 }), with(func(v *variant) { v.wake = 1.0 / 3 }), nil,
	},
	{
		"how far a cache line has to come", "lab calibrate on the computer in question, and --costs",
		with(func(v *variant) { v.line = 118.0 / 48 }), with(func(v *variant) { v.line = 30.0 / 48 }), nil,
	},
	{
		"how long the data takes to move between more processors", "a record with more processors",
		with(func(v *variant) { v.moves = 118.0 / 48 }), with(func(v *variant) { v.moves = 0.5 }),
		func(m *Model) bool { return m.moves > 0 },
	},
	{
		"how uneven the holds are", "a longer record",
		with(func(v *variant) { v.cv = 2 }), with(func(v *variant) { v.cv = 0.5 }), nil,
	},
	{
		"the mean hold, as sampled", "a longer record",
		with(func(v *variant) { v.hold = 1.1 }), with(func(v *variant) { v.hold = 0.9 }), nil,
	},
}

func with(change func(*variant)) variant {
	v := base
	change(&v)
	return v
}

// Predict checks the model against its record, and answers the request.
func (m *Model) Predict(ctx context.Context, q Request) (*Prediction, error) {
	p := &Prediction{
		Lock: m.site, Kind: m.kind, ValidatedToCores: ValidatedTo, Predictions: []Row{}, UnknownWords: []string{},
		Open: m.open(),
		Today: Today{
			Cores: m.procs, OpsPerS: m.rate, HottestUtilization: m.hottest, HoldNs: float64(m.hold), ThinkNs: float64(m.think),
			BusyPct: 100 * m.busy, Instances: m.parts, HottestShare: 100 * m.hot, Goroutines: m.threads,
		},
		Bound: m.bound(),
	}
	var err error
	if p.SelfCheck, err = m.selfCheck(ctx); err != nil {
		return nil, err
	}
	p.Today.ThinkNs = float64(m.think)
	p.BoundsOnly = !holds(p.SelfCheck) || p.Open
	if !p.BoundsOnly {
		if err := m.rows(ctx, q, p); err != nil {
			return nil, err
		}
	}
	p.Words = p.words()
	return p, nil
}

// bound is 1/(hold + hand-off), over the share of the hottest instance.
func (m *Model) bound() Bound {
	hold := float64(m.same)
	if m.moves > 0 {
		hold += float64(m.moves)
	}
	b := Bound{HoldNs: hold, HandOffNs: float64(m.costs.SameSocket)}
	// Readers hold it together, and bound nothing by themselves.
	if writes := 1 - m.reads; writes > 0 {
		b.PerS = 1e9 / (hold + b.HandOffNs) / writes / m.hot
		b.Times = b.PerS / m.rate
	}
	return b
}

// job is one simulation of one row.
type job struct {
	row   int
	cause int // -1 is none
	high  bool
	v     variant
	d     designs.Info
	kind  string
	parts int
	cores int
	ops   float64
	used  float64
}

func (m *Model) rows(ctx context.Context, q Request, p *Prediction) error {
	var jobs []*job
	for _, d := range q.Designs {
		for _, n := range q.cores(m.procs) {
			row := Row{Design: d.Name, Kind: m.kind, Cores: n, HottestUtilization: -1}
			if !d.Kinds {
				row.Kind = ""
			}
			if n > beyond*m.procs {
				row.None = "more than four times the recorded processors: bounds only"
			} else {
				parts := q.Parts
				if d.Name == "shards" && parts == 0 && m.parts > 1 {
					parts = m.parts
				}
				jobs = append(jobs, m.jobs(len(p.Predictions), d, n, parts)...)
			}
			p.Predictions = append(p.Predictions, row)
		}
	}
	if q.Reads > 0 {
		m = m.reading(q.Reads)
	}
	if err := m.simulate(ctx, q, jobs); err != nil {
		return err
	}
	widths := make([]Cause, len(causes))
	for i, c := range causes {
		widths[i] = Cause{Name: c.name, Measure: c.measure, Low: 1, High: 1}
	}
	for i := range p.Predictions {
		p.Predictions[i].fill(i, jobs, widths)
	}
	for _, w := range widths {
		const told = 1.02
		if w.High/w.Low >= told {
			p.Unknown = append(p.Unknown, w)
		}
	}
	slices.SortStableFunc(p.Unknown, func(a, b Cause) int { return cmp.Compare(b.High/b.Low, a.High/a.Low) })
	for _, w := range p.Unknown {
		p.UnknownWords = append(p.UnknownWords, w.Name)
	}
	return nil
}

// reading is the model with more of its acquisitions as reads.
func (m *Model) reading(share float64) *Model {
	o := *m
	o.reads = share
	if o.rhold == 0 {
		o.rhold = o.hold
	}
	return &o
}

func (q *Request) cores(procs int) []int {
	if len(q.Cores) > 0 {
		return q.Cores
	}
	return []int{procs, 2 * procs, beyond * procs}
}

func (m *Model) jobs(row int, d designs.Info, cores, parts int) []*job {
	one := func(cause int, high bool, v variant) *job {
		return &job{row: row, cause: cause, high: high, v: v, d: d, kind: m.kind, parts: parts, cores: cores}
	}
	out := []*job{one(-1, false, base)}
	for i, c := range causes {
		if c.matters == nil || c.matters(m) {
			out = append(out, one(i, false, c.low), one(i, true, c.high))
		}
	}
	return out
}

func (m *Model) simulate(ctx context.Context, q Request, jobs []*job) error {
	var g errgroup.Group
	g.SetLimit(max(q.Workers, 1))
	for i, j := range jobs {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			at, err := m.run(ctx, j.d, j.kind, j.cores, j.parts, j.v)
			if err != nil {
				return err
			}
			j.ops, j.used = at.OpsPerS, at.Utilization
			if q.Progress != nil {
				q.Progress(float64(i+1) / float64(len(jobs)))
			}
			return nil
		})
	}
	return g.Wait()
}

// run is one simulation.
func (m *Model) run(ctx context.Context, d designs.Info, kind string, cores, parts int, v variant) (*lockload.Point, error) {
	c, err := m.config(d, kind, cores, parts, v)
	if err != nil {
		return nil, err
	}
	each := (c.Hold.Avg() + c.Think.Avg()) / time.Duration(cores)
	each = max(each, time.Duration(float64(c.Hold.Avg())*m.hot))
	c.Duration = min(max(settled*each, 20*time.Millisecond), 10*time.Second)
	c.Warmup = c.Duration / 4
	return lockload.Run(ctx, c)
}

// fill makes a range of a row's simulations: the causes are independent, so that
// their logarithms add up as squares.
func (r *Row) fill(n int, jobs []*job, widths []Cause) {
	var mid *job
	for _, j := range jobs {
		if j.row == n && j.cause < 0 {
			mid = j
		}
	}
	if mid == nil || mid.ops == 0 {
		return
	}
	var down, up float64
	lows, highs := map[int]float64{}, map[int]float64{}
	for _, j := range jobs {
		if j.row != n || j.cause < 0 || j.ops == 0 {
			continue
		}
		by := math.Log(j.ops / mid.ops)
		lows[j.cause], highs[j.cause] = min(lows[j.cause], by), max(highs[j.cause], by)
	}
	for i := range widths {
		down += lows[i] * lows[i]
		up += highs[i] * highs[i]
		widths[i].Low, widths[i].High = min(widths[i].Low, math.Exp(lows[i])), max(widths[i].High, math.Exp(highs[i]))
	}
	r.Range = Range{Low: mid.ops * math.Exp(-math.Sqrt(down)), Mid: mid.ops, High: mid.ops * math.Exp(math.Sqrt(up))}
	r.HottestUtilization = mid.used
	if r.Range.High > tooWide*r.Range.Low {
		r.None = "the range is wider than a factor of two"
	}
}
