package calibrate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"hostlock/machine"
	"hostlock/machine/computer"
)

// Config says how thoroughly to measure. The zero value takes about three
// seconds on two cores.
type Config struct {
	// Repetitions of every measurement; 0 means 15. They are interleaved, so
	// that a disturbance of some seconds touches a few of each.
	Repetitions int
	// Each is how long one repetition lasts; 0 means 5 ms, a scheduler's tick
	// or more.
	Each time.Duration
	// MaxPairs bounds for how many pairs of cores the line transfer is
	// measured; 0 means 64, spread evenly over all pairs.
	MaxPairs int
	// Progress is called with the share that is over, 0 to 1.
	Progress func(done float64)
}

func (c *Config) complete() {
	if c.Repetitions <= 0 {
		c.Repetitions = 15
	}
	if c.Each <= 0 {
		c.Each = 5 * time.Millisecond
	}
	if c.MaxPairs <= 0 {
		c.MaxPairs = 64
	}
	if c.Progress == nil {
		c.Progress = func(float64) {}
	}
}

// task is one measurement: a repetition gives its value in nanoseconds, and
// done takes them all. NaN stands for a repetition in which too little
// happened to be measured.
type task struct {
	name string
	once func(context.Context) (float64, error)
	done func(Figure)
}

// Measure measures this computer. All its cores will be busy meanwhile. A
// cancelled context ends it with the repetitions that are complete, and an
// error that wraps the cause.
func Measure(ctx context.Context, cfg Config) (*Result, error) {
	cfg.complete()
	r := &Result{Cores: runtime.GOMAXPROCS(0), Burn: machine.Calibrate()}
	b := &bench{each: cfg.Each, burn: r.Burn, cpus: usable()}
	r.Pinned = len(b.cpus) > 1 && canPin(b.cpus[0])
	tasks := b.tasks(r, cfg.MaxPairs)

	watch := computer.StartWatch()
	values := make([][]float64, len(tasks))
	why := error(nil)
measuring:
	for rep := range cfg.Repetitions {
		for i, t := range tasks {
			if ctx.Err() != nil {
				why = fmt.Errorf("interrupted: %w", context.Cause(ctx))
				break measuring
			}
			ns, err := t.once(ctx)
			if err != nil {
				why = fmt.Errorf("%s: %w", t.name, err)
				break measuring
			}
			if !math.IsNaN(ns) {
				values[i] = append(values[i], ns)
			}
			cfg.Progress(float64(rep*len(tasks)+i+1) / float64(cfg.Repetitions*len(tasks)))
		}
	}
	r.Neighbours = watch.Stop()
	for i, t := range tasks {
		t.done(newFigure(t.name, values[i]))
	}
	for i := range r.HandOff {
		// Between release and acquisition lies one reading of the clock.
		r.HandOff[i].shift(-r.Clock.Median)
		r.LiveHandOff[i].shift(-r.Clock.Median)
	}
	r.remark()
	return r, why
}

func (f *Figure) shift(by float64) {
	if f.Repetitions > 0 {
		f.Median, f.Low, f.High = f.Median+by, f.Low+by, f.High+by
	}
}

// tasks lists all measurements, with places for their results in r.
func (b *bench) tasks(r *Result, maxPairs int) []task {
	into := func(f *Figure) func(Figure) { return func(got Figure) { *f = got } }
	list := []task{
		{"clock reading", b.clock, into(&r.Clock)},
		{"uncontended lock and unlock", b.lock(machine.TAS), into(&r.Lock)},
		{"uncontended mutex lock and unlock", b.lock(machine.Mutex), into(&r.Mutex)},
		{"uncontended atomic add", b.add, into(&r.Add)},
		{"waking a thread and switching to it", b.threadSwitch, into(&r.Switch)},
		{fmt.Sprintf("contended atomic add, %d cores", r.Cores), b.contendedAdd, into(&r.ContendedAdd)},
		{"lateness of a 1 ms timer, idle cores polled", b.late(true, false), into(&r.TimerPolled)},
		{"lateness of a 1 ms timer, idle cores asleep", b.late(false, false), into(&r.TimerIdle)},
		{"lateness of a 1 ms timer, busy cores", b.late(true, true), into(&r.TimerBusy)},
	}
	pairs := pairsOf(b.cpus, maxPairs)
	if !r.Pinned {
		pairs = nil
		if r.Cores > 1 {
			pairs = [][2]int{{-1, -1}}
		}
	}
	r.Transfer = make([]Pair, len(pairs))
	for i, p := range pairs {
		r.Transfer[i] = Pair{A: p[0], B: p[1]}
		list = append(list, task{
			fmt.Sprintf("line transfer, core %d to %d", p[0], p[1]), b.transfer(p[0], p[1]), into(&r.Transfer[i].Figure),
		})
	}
	counts := waiterCounts(r.Cores)
	r.HandOff, r.LiveHandOff = make([]HandOff, len(counts)), make([]HandOff, len(counts))
	for i, n := range counts {
		r.HandOff[i].Waiters, r.LiveHandOff[i].Waiters = n, n
		list = append(list,
			task{fmt.Sprintf("hand-off of a bare lock, %d waiting", n), b.handOff(n, false), into(&r.HandOff[i].Figure)},
			task{fmt.Sprintf("hand-off of the live lock, %d waiting", n), b.handOff(n, true), into(&r.LiveHandOff[i].Figure)})
	}
	return list
}

// pairsOf is all pairs of processors, or as many as are wanted, spread evenly.
func pairsOf(cpus []int, most int) [][2]int {
	var all [][2]int
	for i, a := range cpus {
		for _, b := range cpus[i+1:] {
			all = append(all, [2]int{a, b})
		}
	}
	if len(all) <= most {
		return all
	}
	some := make([][2]int, most)
	for i := range some {
		some[i] = all[i*len(all)/most]
	}
	return some
}

// waiterCounts is 1, 2, 3, 4, 6, 8, 12, … below the number of cores.
func waiterCounts(cores int) []int {
	var counts []int
	for _, n := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256} {
		if n < cores-1 {
			counts = append(counts, n)
		}
	}
	if cores > 1 {
		counts = append(counts, cores-1)
	}
	return counts
}
