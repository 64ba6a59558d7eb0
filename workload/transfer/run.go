package transfer

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/block"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/pagecache"
	"hostlock/machine"
	"hostlock/workload"
)

// run is one run of a job.
type run struct {
	m       machine.Machine
	sys     *dispatch.System
	job     Job
	env     workload.Env
	threads []*thread
	cache   *pagecache.Cache // nil unless buffered
	open    atomic.Bool
	failed  atomic.Bool
	mu      sync.Mutex
	err     error
}

// thread is one of the tool's threads.
type thread struct {
	_      [64]byte
	run    *run
	number int
	iss    *dispatch.Issuer
	plug   *block.Plug
	memory *block.Memory
	cpu    cost.Cost
	files  map[int]*pagecache.File // of the devices, where it is buffered
	moves  []Move
	bios   []*block.Bio // of the move at hand, and spare ones behind them
	sum    Totals
	_      [64]byte
}

// Start adds the threads of a job to a machine that has not begun to run.
func Start(env workload.Env, job Job) (workload.Run, error) {
	r := &run{m: env.Machine, sys: env.System, job: job, env: env}
	if job.Buffered {
		r.cache = pagecache.New(env.System, env.Params)
	}
	for n := range job.Threads {
		th := &thread{run: r, number: n, memory: block.NewMemory(env.Params), cpu: syscall(env.Params)}
		r.threads = append(r.threads, th)
		r.m.Go(job.Tool+"-"+strconv.Itoa(n), n%r.m.Cores(), false, th.main)
	}
	return r, nil
}

// main is the loop of every one of these tools.
func (th *thread) main(t *machine.Thread) {
	r := th.run
	th.iss = r.sys.NewIssuer(t)
	th.plug = block.NewPlug(r.sys, th.iss, r.env.Params)
	for !r.m.Stopping() && !r.failed.Load() {
		th.moves = r.job.Source.Next(t, th.number, th.moves[:0])
		if len(th.moves) == 0 {
			break
		}
		t.Enter(r.job.Section)
		th.transfer(t)
		t.Leave()
	}
	// What was read ahead, or is being written back, ends within the run.
	for _, dev := range slices.Sorted(maps.Keys(th.files)) {
		f := th.files[dev]
		if err := f.Close(t); err != nil {
			r.fail(fmt.Errorf("%s: %w", r.job.Tool, err))
		}
	}
	for !r.m.Stopping() { // the window goes on without it
		t.Sleep(10 * time.Millisecond)
	}
}

// transfer carries out the moves at hand, and counts them where they end
// within the window.
func (th *thread) transfer(t *machine.Thread) {
	before := th.plug.Flown()
	for i := range th.moves {
		mv := &th.moves[i]
		th.cpu.Spend(t)
		if err := th.move(t, mv); err != nil {
			th.run.fail(fmt.Errorf("%s: %v of %d bytes at sector %d: %w", th.run.job.Tool, mv.Op, mv.Bytes, mv.Sector, err))
			return
		}
	}
	if !th.run.open.Load() {
		return
	}
	flown := th.plug.Flown().Minus(before)
	one := Totals{Transfers: 1, Commands: flown.Requests, Segments: flown.Segments}
	for i := range th.moves {
		if mv := &th.moves[i]; mv.Op == dispatch.Read {
			one.Reads++
			one.ReadBytes += int64(mv.Bytes)
		} else {
			one.Writes++
			one.WriteBytes += int64(mv.Bytes)
		}
	}
	th.sum.add(&one)
}

// move carries out one move.
func (th *thread) move(t *machine.Thread, mv *Move) error {
	if th.run.cache == nil {
		return th.direct(t, mv)
	}
	f := th.files[mv.Device]
	if f == nil || mv.Again {
		if th.files == nil {
			th.files = map[int]*pagecache.File{}
		}
		f = th.run.cache.Open(th.run.sys.Devices()[mv.Device], th.plug)
		th.files[mv.Device] = f
	}
	off := mv.Sector * dispatch.SectorSize
	switch mv.Op {
	case dispatch.Read:
		return f.Read(t, off, mv.Bytes)
	case dispatch.Write:
		return f.Write(t, off, mv.Bytes)
	}
	return f.Sync(t)
}

// direct moves one block of the program's own memory.
func (th *thread) direct(t *machine.Thread, mv *Move) error {
	d := th.run.sys.Devices()[mv.Device]
	if mv.Op == dispatch.Flush {
		return th.iss.Do(t, d, dispatch.Flush, 0, 0, 0, nil)
	}
	l := th.plug.Limits(d)
	th.memory.Buffer()
	sector, left, used := mv.Sector, mv.Bytes, 0
	for left > 0 {
		b := th.bio(used)
		used++
		b.Reset(mv.Op, d, sector)
		b.Passthrough = th.run.job.Passthrough
		for left > 0 {
			v := block.Vec{Addr: th.memory.Page(), Len: min(left, block.PageSize)}
			if !b.AddPage(l, v) {
				th.memory.Back()
				break
			}
			left -= v.Len
		}
		if b.Sectors() == 0 {
			return dispatch.ErrTooLarge // not even a page fits
		}
		sector += int64(b.Sectors())
		th.plug.Submit(t, b)
	}
	th.plug.Flush(t)
	return th.plug.Wait(t)
}

func (th *thread) bio(i int) *block.Bio {
	if i == len(th.bios) {
		th.bios = append(th.bios, &block.Bio{})
	}
	return th.bios[i]
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

// BeginWindow, EndWindow, Threads, Notes and Err implement workload.Run.
func (r *run) BeginWindow()    { r.open.Store(true) }
func (r *run) EndWindow()      { r.open.Store(false) }
func (r *run) Threads() int    { return len(r.threads) }
func (r *run) Notes() []string { return r.job.Notes }
func (r *run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *run) totals() Totals {
	sum := Totals{Threads: len(r.threads)}
	for _, th := range r.threads {
		sum.add(&th.sum)
	}
	return sum
}

// Operations implements workload.Run.
func (r *run) Operations() []workload.Count {
	s := r.totals()
	if r.cache != nil {
		requests, segments := r.cache.Flushed()
		s.Commands, s.Segments = s.Commands+requests, s.Segments+segments
	}
	return []workload.Count{
		{Name: "transfers", Value: s.Transfers},
		{Name: "read_bytes", Value: s.ReadBytes}, {Name: "write_bytes", Value: s.WriteBytes},
		{Name: "commands", Value: s.Commands}, {Name: "segments", Value: s.Segments},
	}
}

// NativeReport implements workload.Run.
func (r *run) NativeReport(w io.Writer, window time.Duration) error {
	s := r.totals()
	s.Window = window
	return r.job.Report(w, s)
}
