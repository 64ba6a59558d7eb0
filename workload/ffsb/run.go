package ffsb

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"hostlock/machine"
	"hostlock/workload"
	"hostlock/workload/ffsb/profile"
)

// run is one run of a profile on a machine.
type run struct {
	m       machine.Machine
	storage storage
	conf    *profile.Profile // scaled, with the run's own thread counts
	costs   costs
	fs      []*filesystem
	groups  []*group
	threads []*thread
	notes   []string
	check   *checker // nil unless verifying

	open  atomic.Bool // the measured window is open
	ended atomic.Bool // FFSB would have ended
	mu    sync.Mutex
	err   error // why; the first counts
}

// group is a [threadgroup] with what its threads share.
type group struct {
	conf  *profile.ThreadGroup
	picks picker
	fs    []*filesystem // that it picks from
}

// newRun builds the files.
func newRun(m machine.Machine, st storage, conf *profile.Profile, cost costs, where []int) (*run, error) {
	r := &run{m: m, storage: st, conf: conf, costs: cost}
	devs := st.devices()
	var err error
	if r.fs, r.notes, err = fileset(conf, devs, where, m.Seed()); err != nil {
		return nil, err
	}
	r.notes = append([]string{r.filesNote()}, r.notes...)
	if cost.verify {
		r.check = newChecker(len(devs))
	}
	for i := range conf.Groups {
		g := &group{conf: &conf.Groups[i], picks: newPicker(&conf.Groups[i]), fs: r.fs}
		if b := g.conf.BindFS.V; b != profile.AnyFS {
			g.fs = r.fs[b : b+1]
		}
		r.groups = append(r.groups, g)
	}
	return r, nil
}

// start adds the threads, group by group; thread n begins on core n modulo
// their number.
func (r *run) start() error {
	if r.conf.BuildOnly() && r.conf.Generation != profile.GenA {
		r.notes = append(r.notes, "time=0: FFSB only builds the files and ends, so no I/O is issued")
		r.m.Go("ffsb-0", 0, false, r.idle)
		return nil
	}
	if err := r.conf.CheckRun(); err != nil {
		return err
	}
	for _, g := range r.groups {
		for range g.conf.NumThreads.V {
			n := len(r.threads)
			th := newThread(r, g, n)
			r.threads = append(r.threads, th)
			r.m.Go("ffsb-"+strconv.Itoa(n), n%r.m.Cores(), false, th.main)
		}
	}
	return nil
}

func (r *run) filesNote() string {
	files, bytes := 0, int64(0)
	for _, fs := range r.fs {
		files += len(fs.data.live)
		for _, i := range fs.data.live {
			bytes += fs.data.at(i).size
		}
	}
	return fmt.Sprintf("%s of %s in all at the beginning of the run: their creation is not simulated", many(files, "file"), sizeText(bytes))
}

// end is what FFSB does with exit: no thread goes on, and the reason is kept. The
// window ends with it, so that no rate counts the time after.
func (r *run) end(err error) {
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	r.mu.Unlock()
	r.ended.Store(true)
	r.m.Stop()
}

// idle keeps the machine running without load until the run is over.
func (r *run) idle(t *machine.Thread) {
	for !r.m.Stopping() {
		t.Sleep(10 * time.Millisecond)
	}
}

// BeginWindow implements workload.Run.
func (r *run) BeginWindow() { r.open.Store(true) }

// EndWindow implements workload.Run.
func (r *run) EndWindow() { r.open.Store(false) }

// Threads implements workload.Run.
func (r *run) Threads() int { return len(r.threads) }

// Notes implements workload.Run.
func (r *run) Notes() []string { return r.notes }

// Err implements workload.Run.
func (r *run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && r.check != nil {
		return r.check.err()
	}
	return r.err
}

// tallied is what the threads of one group counted, or of all where g is nil.
func (r *run) tallied(g *group) *tally {
	sum := new(tally)
	for _, th := range r.threads {
		if g == nil || th.group == g {
			sum.add(&th.tally)
		}
	}
	return sum
}

// Operations implements workload.Run.
func (r *run) Operations() []workload.Count {
	all := r.tallied(nil)
	var out []workload.Count
	put := func(name string, n int64) { out = append(out, workload.Count{Name: name, Value: n}) }
	transactions, calls, read, wrote := all.total()
	put("transactions", transactions)
	put("calls", calls)
	put("read_bytes", read)
	put("write_bytes", wrote)
	for _, op := range profile.Ops() {
		if !r.does(op) {
			continue
		}
		put(op.String()+".transactions", all.ops[op].transactions)
		put(op.String()+".calls", all.ops[op].calls)
		if op.Reads() || op.Writes() {
			put(op.String()+".bytes", all.ops[op].bytes)
		}
	}
	if r.check != nil {
		put("verify.sectors", r.check.checked())
		put("verify.violations", r.check.violated())
	}
	return out
}

func (r *run) does(op profile.Op) bool {
	for i := range r.conf.Groups {
		if r.conf.Groups[i].Does(op) {
			return true
		}
	}
	return false
}
