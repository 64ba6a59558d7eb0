package lockload

import (
	"math"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"hostlock/machine"
)

// Point is what one run measured.
type Point struct {
	Design  string `json:"design"`
	Kind    string `json:"kind"`
	Cores   int    `json:"cores"`
	Threads int    `json:"threads"`
	// OpsPerS counts operations a second over all threads; NsPerOp is 1e9 over it.
	OpsPerS float64 `json:"ops_per_s"`
	NsPerOp float64 `json:"ns_per_op"`
	// Contention is the share of the threads' time that is neither hold nor pause:
	// waiting, and the lock's own cost.
	Contention float64 `json:"contention_pct"`
	// Utilization is the share of the time in which the busiest instance is held;
	// -1 where it was not measured: the live machine, and designs without a lock.
	Utilization float64  `json:"utilization_pct"`
	Wait        Waits    `json:"wait_ns"`
	Fairness    Fairness `json:"fairness"`
	Bound       string   `json:"bound"`
	Partial     bool     `json:"partial,omitempty"`

	// CPU is the share of the cores' time in which they were busy; -1 on live.
	CPU float64 `json:"busy_pct"`
	// Met is the share of acquisitions that came while another had the lock; -1
	// where it was not measured.
	Met float64 `json:"met_pct"`
}

// Waits are what operations took beyond their own hold.
type Waits struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// Fairness compares the threads' operations.
type Fairness struct {
	Min    int64   `json:"per_thread_min"`
	Max    int64   `json:"per_thread_max"`
	StdDev float64 `json:"stddev_pct"`
}

// Words of Point.Bound.
const (
	BoundLock  = "lock"  // time goes into waiting for it
	BoundCores = "cores" // holds and pauses fill the cores
	BoundLoad  = "load"  // what arrives is served
)

func (l *run) point(a *machine.Account) *Point {
	p := &Point{
		Design: l.c.Design.Name, Kind: l.c.Kind.Name, Cores: l.c.Cores, Threads: l.c.Threads,
		Utilization: -1, CPU: -1, Met: -1, Partial: a.Cut,
	}
	if !l.c.Design.Kinds {
		p.Kind = ""
	}
	window := a.Window
	if window <= 0 {
		return p
	}
	all := hdrhistogram.New(1, waitMax, waitDigits)
	var ops []float64
	var waited, useful time.Duration
	for i := range l.threads {
		w := &l.threads[i]
		ops = append(ops, float64(w.ops))
		waited += w.waited
		useful += w.useful
		all.Merge(w.waits)
	}
	sum := 0.0
	for _, n := range ops {
		sum += n
	}
	p.OpsPerS = sum / window.Seconds()
	if sum > 0 {
		p.NsPerOp = 1e9 / p.OpsPerS
		p.Wait = Waits{
			Mean: float64(waited) / sum,
			P50:  float64(all.ValueAtQuantile(50)), P99: float64(all.ValueAtQuantile(99)), Max: float64(all.Max()),
		}
	}
	// An operation that never ends has no wait; what the threads did instead has.
	p.Contention = 100 * max(0, 1-useful.Seconds()/(window.Seconds()*float64(l.c.Threads)))
	if l.c.Rate > 0 && waited > 0 {
		p.Contention = 100 * waited.Seconds() / (waited + useful).Seconds()
	}
	p.Fairness = fairness(ops)
	if l.taken > 0 {
		p.Met = 100 * float64(l.met) / float64(l.taken)
	}
	for _, d := range l.held {
		p.Utilization = max(p.Utilization, 100*min(d.Seconds()/window.Seconds(), 1))
	}
	if !l.c.Live {
		p.CPU = busy(a)
	}
	p.Bound = l.bound(p)
	return p
}

func busy(a *machine.Account) float64 {
	idle := time.Duration(0)
	for _, s := range a.Samples {
		if s.What == machine.Idle {
			idle += s.Time
		}
	}
	return 100 * (1 - idle.Seconds()/(a.Window.Seconds()*float64(a.Cores)))
}

func fairness(ops []float64) Fairness {
	mean, sq := 0.0, 0.0
	for _, n := range ops {
		mean += n / float64(len(ops))
	}
	for _, n := range ops {
		sq += (n - mean) * (n - mean) / float64(len(ops))
	}
	f := Fairness{Min: int64(slices.Min(ops)), Max: int64(slices.Max(ops))}
	if mean > 0 {
		f.StdDev = 100 * math.Sqrt(sq) / mean
	}
	return f
}

// mostly is the share of a limit above which it is called reached.
const mostly = 0.9

// bound names what a run of 25 % more of it would speed up: what arrives, the
// cores, or the lock.
func (l *run) bound(p *Point) string {
	if r := l.c.Rate; r > 0 && p.OpsPerS > mostly*r {
		return BoundLoad
	}
	each := (l.c.Hold.Avg() + l.c.Think.Avg()).Seconds()
	if each > 0 && p.OpsPerS > mostly*float64(min(l.c.Threads, l.c.Cores))/each {
		return BoundCores
	}
	return BoundLock
}
