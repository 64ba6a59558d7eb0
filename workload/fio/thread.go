package fio

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/block"
	"hostlock/dispatch/pagecache"
	"hostlock/machine"
	"hostlock/workload"
	"hostlock/workload/command"
)

var secMain = machine.NewSection("fio")

// run is one run of a load.
type run struct {
	w       *load
	m       machine.Machine
	sys     *dispatch.System
	env     workload.Env
	threads []*thread
	gate    *gate
	cache   *pagecache.Cache // nil where nothing is buffered
	cost    costs
	notes   []string
	open    atomic.Bool
	failed  atomic.Bool
	exits   atomic.Int64 // rounds that exitall has ended
	mu      sync.Mutex
	err     error
	trace   func(th *thread, op *operation) // for tests
}

// thread is one clone of a job.
type thread struct {
	_      [64]byte
	run    *run
	clone  *clone
	job    int // index of the job
	round  int
	number int
	start  machine.Completion
	iss    *dispatch.Issuer
	plug   *block.Plug
	ring   *block.Ring // nil unless the job keeps several operations under way
	memory *block.Memory
	files  map[int]*pagecache.File
	pick   *chooser
	ops    []operation
	free   []int        // tags
	queued []int        // tags that wait for a submission
	bios   []*block.Bio // of a synchronous operation
	came   []came
	t      *machine.Thread
	began  time.Duration // of the round
	counts pass
	sum    tally
	_      [64]byte
}

// operation is one read or write.
type operation struct {
	tag    int
	dir    int
	file   int
	off, n int64 // within its region
	begun  time.Duration
	bios   []*block.Bio
}

// Start implements workload.Workload.
func (w *load) Start(env workload.Env) (workload.Run, error) {
	r, err := w.start(env)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// maxOutstanding bounds what a load keeps under way in all.
const maxOutstanding = 1 << 20

func (w *load) start(env workload.Env) (*run, error) {
	env, err := env.Complete(w)
	if err != nil {
		return nil, err
	}
	own := w.Threads()
	threads := command.Threads(env, own)
	clones, notes, err := w.place(env, func(j *job) int {
		// In proportion, and at least one of each.
		return max(1, int(float64(j.clones)*float64(threads)/float64(own)+0.5))
	})
	if err != nil {
		return nil, fmt.Errorf("fio: %w", err)
	}
	r := &run{w: w, m: env.Machine, sys: env.System, env: env, cost: newCosts(env.Params), notes: notes}
	buffered, outstanding := false, 0
	for _, c := range clones {
		buffered = buffered || !c.engine.null && (!c.direct || c.engine.mmap)
		if outstanding += c.depth; c.engine.async && outstanding > maxOutstanding {
			return nil, fmt.Errorf("fio: %s: %d operations under way in all; legal: up to %d, the sum of iodepth over all jobs", c.at("iodepth"), outstanding, maxOutstanding)
		}
		for _, core := range c.cpus {
			if core >= r.m.Cores() {
				return nil, fmt.Errorf("fio: %scpus_allowed: core %d; legal: 0 to %d, the machine's", before(c.at("cpus_allowed")), core, r.m.Cores()-1)
			}
		}
	}
	if buffered {
		r.cache = pagecache.New(env.System, env.Params)
	}
	r.gate = newGate(w, clones, env.Params.Choice("fio.end") == "repeat", r.m.Stop)
	of := map[*job]int{}
	for i, j := range w.jobs {
		of[j] = i
	}
	sub := map[*job]int{}
	for n, c := range clones {
		th := &thread{run: r, clone: c, number: n, job: of[c.job], memory: block.NewMemory(env.Params)}
		th.start.Init()
		r.threads = append(r.threads, th)
		core := n
		if len(c.cpus) > 0 {
			core = c.cpus[sub[c.job]%len(c.cpus)]
		}
		sub[c.job]++
		r.m.Go("fio-"+strconv.Itoa(n), core%r.m.Cores(), false, th.main)
	}
	return r, nil
}

func before(place string) string {
	if place == "" {
		return ""
	}
	return place + ": "
}

// main is a thread's life: rounds of its job, until the run ends.
func (th *thread) main(t *machine.Thread) {
	r := th.run
	th.t = t
	th.iss = r.sys.NewIssuer(t)
	th.plug = block.NewPlug(r.sys, th.iss, r.env.Params)
	depth := 1
	if th.clone.async() {
		depth = th.clone.depth
		th.ring = block.NewRing(r.m, th.plug, th.clone.engine.lock, depth)
	}
	th.ops = make([]operation, depth)
	for i := range th.ops {
		th.ops[i].tag = i
		th.free = append(th.free, depth-1-i)
	}
	th.pick = newChooser(th.clone, t.Rand())
	for !th.stopping() && r.gate.enter(t, th) {
		t.Enter(secMain)
		th.jobRun()
		t.Leave()
		if th.stopping() {
			break
		}
		r.gate.leave(t, th, r.threads)
	}
	r.gate.release(t, r.threads)
	for _, dev := range slices.Sorted(maps.Keys(th.files)) {
		if err := th.files[dev].Close(t); err != nil {
			r.fail(fmt.Errorf("fio: %w", err))
		}
	}
}

func (th *thread) stopping() bool { return th.run.m.Stopping() || th.run.failed.Load() }

// sleep gives the core up for a time, in pieces that end with the run. It
// reports whether the time is over.
func (th *thread) sleep(d time.Duration) bool {
	const piece = 10 * time.Millisecond
	for d > 0 && !th.ended() {
		th.t.Sleep(min(d, piece))
		d -= piece
	}
	return d <= 0
}

// ended reports whether the round is over for all.
func (th *thread) ended() bool {
	return th.stopping() || th.run.exits.Load() > int64(th.round)
}

func (r *run) fail(err error) {
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	r.mu.Unlock()
	r.failed.Store(true)
	r.m.Stop() // no rate counts the time after
}

// counted reports whether what is done now counts.
func (th *thread) counted() bool {
	return th.run.open.Load() && th.t.Now() >= th.began+th.clone.ramp
}

// BeginWindow, EndWindow, Threads, Notes and Err implement workload.Run.
func (r *run) BeginWindow() { r.open.Store(true) }
func (r *run) EndWindow()   { r.open.Store(false) }
func (r *run) Threads() int { return len(r.threads) }
func (r *run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Notes implements workload.Run.
func (r *run) Notes() []string {
	out := slices.Clone(r.notes)
	if n := r.gate.rounds; n > 0 {
		out = append(out, fmt.Sprintf("fio: its jobs ended before the window, and began again, %d times (fio.end=repeat)", n))
	}
	var idle []string
	for i, j := range r.w.jobs {
		var y tally
		for _, th := range r.threads {
			if th.job == i {
				y.add(&th.sum)
			}
		}
		if y == (tally{}) {
			idle = append(idle, j.name)
		}
	}
	if len(idle) > 0 {
		if len(idle) > 4 {
			idle = append(idle[:3], fmt.Sprintf("and %d more", len(idle)-3))
		}
		out = append(out, fmt.Sprintf("fio: nothing was done in the window by %v: others come before them, or their startdelay or ramp_time was not over; a longer --duration, or --section=NAME on fio's command line, measures them", idle))
	}
	return out
}
