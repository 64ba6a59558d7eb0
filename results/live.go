package results

import (
	"fmt"
	"math"

	"hostlock/machine/computer"
)

// Live is what only a run on this computer has to say. Times are real.
type Live struct {
	// Scale is how many times as long as at the published rate an I/O takes
	// here; where it is not 1, no rate compares with a published one.
	Scale float64 `json:"time_scale"`
	// Kind is the algorithm of the host lock.
	Kind string `json:"host_lock_kind"`
	// Samples is how many samples of the CPU profile were busy time: what the
	// sampling error of every share follows from.
	Samples int64 `json:"cpu_samples"`
	Rate    int   `json:"cpu_rate_hz"`
	// CPU is the processor time of this process in the window, Polled the part
	// that idle pollers used, which no share contains. Seconds.
	CPU    float64 `json:"cpu_s"`
	Polled float64 `json:"idle_polling_s"`
	// Neighbours is the processor time that other processes took, in
	// processors; -1 where the system does not say.
	Neighbours float64 `json:"other_processes_cpu"`
	Neighbour  string  `json:"other_processes"` // in words
	// Late is how late device timers fired, in microseconds.
	LateMean float64 `json:"timer_late_mean_us"`
	LateMax  float64 `json:"timer_late_max_us"`
	// Yields is how often a spinner gave up for a while, since the holder did
	// not run.
	Yields int64 `json:"spin_limit_yields"`
	// Burn is the iterations of the work loop per microsecond: the same for
	// all variants of a comparison.
	Burn float64 `json:"burn_per_us"`
	// Derivation says, line by line, where the load comes from.
	Derivation []string `json:"derivation"`

	// Simulated is the published machine in virtual time, under the same
	// strategy; nil where nothing published compares.
	Simulated *Result `json:"-"`
}

// Disturbed reports whether other processes took so much that no figure of the
// run can be trusted, whatever the number of samples.
func (l *Live) Disturbed() bool { return l.Neighbours > computer.DisturbedLimit }

// StdErr is the sampling standard error, in points, of a share in percent:
// 100 sqrt(p(1-p)/n), n the busy samples.
func (l *Live) StdErr(pct float64) float64 {
	if l.Samples <= 0 {
		return 0
	}
	p := min(max(pct/100, 0), 1)
	return 100 * math.Sqrt(p*(1-p)/float64(l.Samples))
}

// disturbed stands where a sampling error would: that is not the error of a
// figure that neighbours took part in.
const disturbed = " disturbed"

// WithError prints a share with its sampling error, or says that it has a worse.
func (l *Live) WithError(pct float64) string {
	if l.Disturbed() {
		return number(pct) + disturbed
	}
	return fmt.Sprintf("%s ±%s", number(pct), number(l.StdErr(pct)))
}

// share prints a share of r with its sampling error where it was sampled.
func (r *Result) share(pct float64) string {
	if r.Live == nil || r.Live.Samples == 0 {
		return number(pct)
	}
	return r.Live.WithError(pct)
}

// budgetShare prints a row of the budget, which is over cores x time, with the
// sampling error of the share of busy time that it comes from.
func (r *Result) budgetShare(e Entry[float64]) string {
	busy := r.CPU.Busy / 100
	if r.Live == nil || r.Live.Samples == 0 || busy <= 0 || e.Name == "idle" {
		return number(e.Value)
	}
	if r.Live.Disturbed() {
		return number(e.Value) + disturbed
	}
	return fmt.Sprintf("%s ±%s", number(e.Value), number(busy*r.Live.StdErr(e.Value/busy)))
}

// rounded is a copy as it is written.
func (l *Live) rounded() *Live {
	if l == nil {
		return nil
	}
	c := *l
	for _, v := range []*float64{&c.Scale, &c.CPU, &c.Polled, &c.Neighbours, &c.LateMean, &c.LateMax, &c.Burn} {
		*v = round(*v, usDecimals)
	}
	c.Derivation = append([]string{}, l.Derivation...)
	return &c
}

// MechanismNote is what stands beside every live figure of the headline.
const MechanismNote = "mechanism, not reproduction"

// Bands of the live comparison: a share that a dial was turned to says that
// the mechanism works, and must come near; its parts hang on the gaps between
// the sections, which no source gives.
const (
	liveBandSum  = 4.3 // points: 20 to 28 for 23.7
	liveBandPart = 4.0
	liveBandLow  = 2.2 // of a share below 5: 0 to 4 for 1.8
)

// CompareLive puts a live run beside the rows of its case that do not depend
// on the time scale: the shares. It is nil where there are none.
func (p *Published) CompareLive(caseName string, r *Result, usedToFit []string) *Comparison {
	c := &Comparison{Source: p.Source(), OK: true, table: p}
	for _, f := range p.Figures {
		if f.Case != caseName || f.Against != "" || f.absolute() {
			continue
		}
		v, ok := r.Metric(f.Metric)
		if !ok {
			continue
		}
		row := f.beside(v, usedToFit)
		switch {
		case f.Value < 5:
			row.Band = liveBandLow
		case f.PartOf != "":
			row.Band = liveBandPart
		default:
			row.Band = liveBandSum
		}
		c.Rows = append(c.Rows, row)
	}
	if len(c.Rows) == 0 {
		return nil
	}
	c.OK = allWithin(c.Rows)
	return c
}

// absolute reports whether a figure is a rate, which a time scale changes.
func (f Figure) absolute() bool { return f.Metric == "iops" || f.Metric == "throughput_mb_s" }

// liveSections are what a live run is introduced with: the three columns, and
// where the load comes from.
func liveSections(r *Result) []section {
	l := r.Live
	if l == nil {
		return nil
	}
	return []section{
		threeColumns(r),
		{title: "Where this load comes from", lines: l.Derivation},
		liveSection(r),
		mutexSection(r),
	}
}

// mutexSection says where to look for contention that no CPU profile shows.
func mutexSection(r *Result) section {
	if r.Live.Kind != "mutex" {
		return section{}
	}
	s := section{title: "A mutex's contention is not CPU time (MUTEX.md)", lines: []string{
		"its waiters sleep: the cores idle or do other work, and the CPU profile shows next to nothing",
		"mutex profile: who held the lock while others waited, charged at Unlock; block profile: who waited, charged at Lock; wall: every goroutine, asleep or not",
		"their sums are waiters' delays, many at a time: they can rise when a fix is right, and are no share of anything",
	}}
	for _, p := range [][2]string{{"mutex", ""}, {"block", "-focus 'SpinLock' "}, {"wall", "-focus 'SpinLock' "}} {
		if file, ok := r.Profiles.Get(p[0]); ok {
			s.lines = append(s.lines, "go tool pprof -top -cum "+p[1]+quoted(file))
		}
	}
	return s
}

// threeColumns is published, simulated and measured here, side by side.
func threeColumns(r *Result) section {
	if r.Published == nil {
		return section{}
	}
	l := r.Live
	sim := "simulated"
	if s := l.Simulated; s != nil {
		sim = fmt.Sprintf("simulated, %d cores", s.Experiment.Cores)
	}
	s := section{
		title: "Published, simulated, this computer: " + MechanismNote,
		head:  []string{"figure", "published", sim, fmt.Sprintf("this computer, %d cores", r.Experiment.Cores), "used to derive"},
		align: "lrrrl",
	}
	simulated := map[string]string{}
	if l.Simulated != nil && l.Simulated.Published != nil {
		for _, row := range l.Simulated.Published.Rows {
			simulated[row.Name] = number(row.Measured)
		}
	}
	for _, row := range r.Published.Rows {
		s.rows = append(s.rows, []string{
			row.Name, exact(row.Published), simulated[row.Name], l.WithError(row.Measured), yes(row.UsedToFit, "yes", ""),
		})
	}
	errors := "here with one standard error of sampling"
	if l.Disturbed() {
		errors = fmt.Sprintf("here DISTURBED by %.2f CPU of other processes: nothing to compare with", l.Neighbours)
	}
	s.lines = append(s.lines, fmt.Sprintf("shares of busy CPU time in percent, %s (n = %d samples at %d Hz)", errors, l.Samples, l.Rate))
	if l.Scale != 1 {
		s.lines = append(s.lines, fmt.Sprintf("time scale %s: an I/O takes that many times as long here as at the published rate, so no rate stands beside a published one", number(l.Scale)))
	}
	return append1(s, "source: "+r.Published.Source)
}

func append1(s section, line string) section {
	s.lines = append(s.lines, line)
	return s
}

// liveSection is how well the run went, as a measurement.
func liveSection(r *Result) section {
	l := r.Live
	s := section{title: "This computer", head: []string{"what", "measured", "unit"}, align: "lrl"}
	add := func(name, value, unit string) { s.rows = append(s.rows, []string{name, value, unit}) }
	add("host lock's algorithm", l.Kind, "")
	add("CPU time of this process", number(l.CPU), "s")
	add("  of it idle polling, in no share", number(l.Polled), "s")
	add("busy samples of the CPU profile", fmt.Sprint(l.Samples), fmt.Sprintf("at %d Hz a core", l.Rate))
	add("host-lock share, profile", l.WithError(r.CPU.HostLock), "% of busy time")
	add("  the locks' own clocks", number(r.Counters.HostLock), "% of busy time")
	add("device timers late, mean", number(l.LateMean), "us")
	add("  at most", number(l.LateMax), "us")
	add("spinners that gave up for a while", fmt.Sprint(l.Yields), "times")
	s.lines = []string{l.Neighbour}
	return s
}
