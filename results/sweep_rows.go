package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

func itoa(n int) string    { return strconv.Itoa(n) }
func utoa(n uint64) string { return strconv.FormatUint(n, 10) }

// mixedBounds is said of a row whose seeds are bounded by different things.
const mixedBounds = "differs by seed"

// SweepRow is what people read of a sweep: one strategy at one combination,
// the mean over its seeds.
type SweepRow struct {
	SweepPoint
	Seeds int
	// GainSD is the standard deviation of the gain over the seeds; 0 for one.
	GainSD float64
}

// Rows are the points, those that differ in nothing but their seed in one.
func (s *Sweep) Rows() []SweepRow {
	at := map[string]int{}
	var rows []SweepRow
	gains := [][]float64{}
	for _, p := range s.Points {
		key := p.Strategy + "\x00" + p.combination(false)
		i, ok := at[key]
		if !ok {
			i = len(rows)
			at[key] = i
			row := SweepRow{SweepPoint: p, Seeds: 1}
			row.Gain = nil
			rows, gains = append(rows, row), append(gains, nil)
		} else {
			rows[i].add(&p)
		}
		if p.Gain != nil {
			gains[i] = append(gains[i], *p.Gain)
		}
	}
	for i := range rows {
		rows[i].finish(gains[i])
	}
	return rows
}

func (r *SweepRow) figures(p *SweepPoint) [][2]*float64 {
	return [][2]*float64{
		{&r.IOPS, &p.IOPS}, {&r.ThroughputMB, &p.ThroughputMB}, {&r.Busy, &p.Busy}, {&r.HostLock, &p.HostLock},
		{&r.Contention, &p.Contention}, {&r.LatencyP50, &p.LatencyP50}, {&r.LatencyP99, &p.LatencyP99},
	}
}

func (r *SweepRow) add(p *SweepPoint) {
	r.Seeds++
	if a, b := r.Bound, p.Bound; a != nil && b != nil && a.By != b.By {
		r.Bound = &Bound{By: mixedBounds, Limit: a.Limit, Reached: a.Reached}
	}
	for _, f := range r.figures(p) {
		*f[0] += *f[1]
	}
}

func (r *SweepRow) finish(gains []float64) {
	for _, f := range r.figures(&r.SweepPoint) {
		*f[0] /= float64(r.Seeds)
	}
	if len(gains) == 0 {
		return
	}
	mean, sq := 0.0, 0.0
	for _, g := range gains {
		mean += g / float64(len(gains))
	}
	for _, g := range gains {
		sq += (g - mean) * (g - mean)
	}
	r.Gain = &mean
	if len(gains) > 1 {
		r.GainSD = math.Sqrt(sq / float64(len(gains)-1))
	}
}

// sweepSections is a sweep's table for people.
func sweepSections(s *Sweep) []section {
	d := s.Definition
	head := section{title: d.Experiment + ": sweep", lines: []string{
		fmt.Sprintf("driver %s, workload %s, machine %s, %s", d.Driver, d.Workload, d.Machine, d.load()),
		"figures are simulated" + d.how(),
	}}
	if d.Title != "" {
		head.title = d.Experiment + ": " + d.Title
	}
	if s.Shard != "" {
		head.lines = append(head.lines, "shard "+s.Shard+" of the sweep")
	}
	if s.Missing > 0 {
		head.lines = append(head.lines, fmt.Sprintf("PARTIAL: %d of %s missing", s.Missing, Count(s.Missing+len(s.Points), "point")))
	}
	t := section{head: []string{"strategy", "cores"}, align: "lr"}
	add := func(align string, names ...string) {
		t.head = append(t.head, names...)
		t.align += strings.Repeat(align, len(names))
	}
	for _, a := range d.Axes {
		add("r", a.Name)
	}
	add("r", "IOPS", "MB/s", "host-lock share", "contention", "busy", "p99, us", "gain")
	if len(d.Seeds) > 1 {
		add("r", "± over seeds")
	}
	theory := false
	for i := range s.Points {
		theory = theory || s.WithTheory && s.Points[i].Theory != nil
	}
	if theory {
		add("r", "theory: IOPS", "share")
	}
	bounds := slices.ContainsFunc(s.Points, func(p SweepPoint) bool { return p.Bound != nil })
	if bounds {
		add("l", "bound")
	}
	for _, r := range s.Rows() {
		row := []string{r.Strategy, itoa(r.Cores)}
		for _, a := range d.Axes {
			row = append(row, r.Value(a.Name))
		}
		row = append(row, number(r.IOPS), number(r.ThroughputMB), number(r.HostLock)+" %", number(r.Contention)+" %", number(r.Busy)+" %", number(r.LatencyP99), gainText(r.Gain))
		if len(d.Seeds) > 1 {
			row = append(row, number(r.GainSD))
		}
		if theory {
			x, share := "", ""
			if r.Theory != nil {
				x, share = number(r.Theory.IOPS), number(r.Theory.Contention)+" %"
			}
			row = append(row, x, share)
		}
		if bounds {
			by := "-"
			if r.Bound != nil {
				by = r.Bound.By
			}
			row = append(row, by)
		}
		t.rows = append(t.rows, row)
	}
	t.lines = []string{"shares are of busy time; busy is of cores x time; gain is of IOPS against " + d.Strategies[0] + ", all else equal"}
	if theory {
		t.lines = append(t.lines, TheoryNote)
	}
	head.lines = append(sweepWords(s), head.lines...)
	return []section{head, t}
}

// TheoryNote says what a sweep's theory is.
const TheoryNote = "theory: the published chain of the lock (Boyd-Wickizer et al., OLS 2012), from the experiment's parameters alone; " + TheoryLimits

// TheoryLimits says what that chain leaves out, and what it costs: under the
// headline's load it gives 11.9 % of contention where the simulation gives 23.1,
// and 5.7 for 12.3 on 96 cores with the patch.
const TheoryLimits = "it knows no limit but the lock, has one kind of hold and no way between sockets: off by a factor of 2 near the cliff, by more where another limit binds"

func gainText(g *float64) string {
	if g == nil {
		return "-"
	}
	return signed(*g) + " %"
}

// load says how large the load of a point is.
func (d *SweepDef) load() string {
	s := "the load is the same at all cores"
	if d.Weak {
		s = "the load grows with the cores, and HBAs with it"
		for _, kv := range d.Set {
			if kv.Name == "hbas" {
				s = "the load grows with the cores, HBAs stay"
			}
		}
	}
	for _, kv := range d.Set {
		s += ", " + kv.Name + "=" + kv.Value
	}
	return s
}

func (d *SweepDef) how() string {
	s := ""
	if d.Duration > 0 {
		s = ", " + seconds(d.Duration) + " a point"
	}
	switch n := len(d.Seeds); n {
	case 0:
	case 1:
		s += ", seed " + utoa(d.Seeds[0])
	default:
		s += fmt.Sprintf(", means over %d seeds", n)
	}
	return s
}
