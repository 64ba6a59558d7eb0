package lockload

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"go.uber.org/atomic"

	"hostlock/designs"
	"hostlock/machine"
	"hostlock/machine/sim"
)

// ErrLost is a run in which writes are missing, or were made twice.
var ErrLost = errors.New("lost writes")

// Run runs the load and measures it. It returns a point also with an error, where
// the window had begun.
func Run(ctx context.Context, c Config) (*Point, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	m, err := c.machine()
	if err != nil {
		return nil, err
	}
	l := newRun(&c, m)
	acct, err := m.Run(ctx, machine.Course{
		Warmup: c.Warmup, Duration: c.Duration,
		Begin: l.begin, End: l.end,
	})
	if acct == nil {
		return nil, err
	}
	if err == nil {
		err = l.ledger()
	}
	return l.point(acct), err
}

func (c *Config) machine() (machine.Machine, error) {
	kinds := map[string]machine.Kind{}
	if c.Kind.Closed {
		kinds[designs.Class] = c.Kind.Spins
	}
	if c.Live {
		return machine.NewLive(machine.LiveConfig{Cores: c.Cores, Seed: c.Seed})
	}
	return sim.New(sim.Config{
		Cores: c.Cores, Sockets: c.Sockets, Seed: c.Seed, Costs: c.Costs, LockKinds: kinds,
		Placement: sim.GoRuntime, Go: c.Go,
	})
}

// waitDigits and waitMax are of the histogram of waits, in ns.
const (
	waitDigits = 2
	waitMax    = int64(10 * time.Second)
)

// run is one run under way.
type run struct {
	c       *Config
	m       machine.Machine
	design  designs.Design
	threads []thread
	on      atomic.Bool // in the window
	held    map[int]time.Duration
	from    time.Duration // the window's

	taken, met int64 // acquisitions, and those that came while another had the lock
}

// thread is what one thread counts.
type thread struct {
	rng       *rand.Rand
	zipf      *rand.Zipf
	ops       int64 // in the window
	waited    time.Duration
	useful    time.Duration // holds and pauses
	waits     *hdrhistogram.Histogram
	wrote     uint64 // writes begun, over the whole run
	completed uint64 // of them, those that have returned
	_         [64]byte
}

func newRun(c *Config, m machine.Machine) *run {
	l := &run{c: c, m: m, threads: make([]thread, c.Threads), held: map[int]time.Duration{}}
	env := designs.Env{
		Machine: m, Kind: c.Kind, Threads: c.Threads, Cores: c.Cores,
		Keys: c.Keys, Lines: c.Lines, Parts: c.Parts,
	}
	if !c.Live {
		env.Held = l.holds // one thread at a time runs there
	}
	for i := range l.threads {
		l.threads[i].waits = hdrhistogram.New(1, waitMax, waitDigits)
		m.Go(fmt.Sprint("load/", i), i%c.Cores, false, func(t *machine.Thread) { l.loop(t, i) })
	}
	l.design = c.Design.New(env)
	return l
}

func (l *run) holds(instance int, met bool, from, to time.Duration) {
	if l.on.Load() {
		l.taken++
		if met {
			l.met++
		}
		l.held[instance] += to - max(from, l.from)
	}
}

func (l *run) begin() { l.from = l.c.Warmup; l.on.Store(true) }
func (l *run) end()   { l.on.Store(false) }

// loop is what a thread does from beginning to end.
func (l *run) loop(t *machine.Thread, n int) {
	w := &l.threads[n]
	w.rng = t.Rand()
	if l.c.Zipf > 1 {
		w.zipf = rand.NewZipf(w.rng, l.c.Zipf, 1, uint64(l.c.Keys-1))
	}
	due := t.Now()
	gap := time.Duration(0)
	if l.c.Rate > 0 {
		gap = time.Duration(float64(l.c.Threads) / l.c.Rate * 1e9)
	}
	for !l.m.Stopping() {
		at, think := t.Now(), time.Duration(0)
		if gap > 0 {
			due += machine.Dist{Mean: gap, Shape: machine.Exponential}.Draw(w.rng)
			if due > at {
				t.Sleep(due - at)
			}
			at = due
		} else {
			think = l.c.Think.Draw(w.rng)
			t.Work(think)
			at = t.Now()
		}
		hold := l.operate(t, w)
		if l.on.Load() {
			w.ops++
			wait := max(t.Now()-at-hold, 0)
			w.waited += wait
			w.useful += hold + think
			_ = w.waits.RecordValue(min(int64(wait)+1, waitMax)) // which lies within
		}
		if l.c.Live && gap == 0 && l.c.Think.Avg() == 0 && w.ops%1024 == 0 {
			runtime.Gosched() // others of this processor would start late otherwise
		}
	}
	l.design.Flush(t)
}

// operate makes one operation, and returns its hold.
func (l *run) operate(t *machine.Thread, w *thread) time.Duration {
	key := 0
	switch {
	case l.c.Hot > 0 && w.rng.Float64() < l.c.Hot:
	case w.zipf != nil:
		key = int(w.zipf.Uint64())
	case l.c.Keys > 1:
		key = w.rng.IntN(l.c.Keys)
	}
	if l.c.Read > 0 && w.rng.Float64() < l.c.Read {
		times := l.c.Hold
		if l.c.ReadHold != nil {
			times = l.c.ReadHold
		}
		hold := times.Draw(w.rng)
		l.design.Read(t, key, hold)
		return hold
	}
	hold := l.c.Hold.Draw(w.rng)
	w.wrote++
	l.design.Write(t, key, hold)
	w.completed++
	return hold
}

// ledger holds the table's sum against the writes.
func (l *run) ledger() error {
	var wrote uint64
	for i := range l.threads {
		wrote += l.threads[i].completed
	}
	if sum := l.design.Sum(); sum != wrote {
		return fmt.Errorf("%w: design %s under lock %s counts %d of %d", ErrLost, l.c.Design.Name, l.c.Kind.Name, sum, wrote)
	}
	return nil
}
