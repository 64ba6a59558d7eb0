package sweep

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/results"
)

// Options say how a plan is run.
type Options struct {
	// Run runs one point; nil is [experiment.Run].
	Run experiment.Runner
	// Workers is how many points run at a time; 0 is one a core.
	Workers int
	Shard   Shard
	// Done are points of an earlier run that need not run again.
	Done []results.SweepPoint
	// Save, where not nil, is called at the beginning and after each point with
	// all that is done, never twice at a time. Its error ends the sweep.
	Save func(*results.Sweep) error
	// Progress, where not nil, is called with the share that is over, 0 to 1.
	Progress func(float64)
}

// Run runs the points that are not done yet. Virtual time doesn't mind
// company: the figures do not depend on how many run at a time.
//
// The sweep that it returns holds what is done even where there is an error:
// one that wraps the context's where ctx was cancelled, else one line for each
// point that failed. It is nil where a point turned out to be a wrong request.
func (p *Plan) Run(ctx context.Context, o Options) (*results.Sweep, error) {
	r := newRunner(p, o)
	if err := r.take(o.Done); err != nil {
		return nil, err
	}
	if o.Save != nil { // a file that cannot be written is found out at once
		if err := o.Save(r.snapshot()); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var todo []int
	for _, i := range costliestFirst(p.points) {
		if r.wanted[i] && r.found[i] == nil {
			todo = append(todo, i)
			r.cost += p.points[i].cost()
		}
	}
	queue := make(chan int, len(todo))
	for _, i := range todo {
		queue <- i
	}
	close(queue)
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	for range min(workers, len(todo)) {
		wg.Go(func() {
			defer r.caught(cancel)
			for i := range queue {
				if ctx.Err() != nil {
					return
				}
				if err := r.point(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return r.end(context.Cause(ctx))
}

// runner is one run of a plan.
type runner struct {
	plan   *Plan
	o      Options
	wanted []bool // by point: this shard runs it

	mu    sync.Mutex
	found []*results.SweepPoint // by point; nil is not done
	errs  []error               // by point: why it failed
	cost  float64               // of all that there was to do
	part  []float64             // by point: what is over of its cost
}

func newRunner(p *Plan, o Options) *runner {
	if o.Run == nil {
		o.Run = experiment.Run
	}
	n := len(p.points)
	return &runner{
		plan: p, o: o, wanted: o.Shard.choose(p.points),
		found: make([]*results.SweepPoint, n), errs: make([]error, n), part: make([]float64, n),
	}
}

// caught makes a worker's panic the reason why the sweep ends; in a goroutine
// of its own it would end the process.
func (r *runner) caught(cancel context.CancelCauseFunc) {
	if v := recover(); v != nil {
		cancel(machine.Caught("", 0, v))
	}
}

// take keeps points that are done. Points of another sweep are refused: they
// would be lost when the file that they come from is written again.
func (r *runner) take(done []results.SweepPoint) error {
	at := make(map[string]int, len(r.plan.points))
	for i := range r.plan.points {
		at[r.plan.points[i].Key] = i
	}
	for _, d := range done {
		i, ok := at[d.Key]
		if !ok {
			return spec.Usagef("the point %s is no part of this sweep: the experiment, the workload or the request is another; legal: the sweep that the file was begun with, or one that holds it", name(&d))
		}
		if !sameRun(&d, &r.plan.points[i].SweepPoint) {
			return spec.Usagef("the point %s has the key of %s: the file was edited; legal: a file as lab sweep wrote it", name(&d), name(&r.plan.points[i].SweepPoint))
		}
		r.found[i] = &d
	}
	return nil
}

// point runs one point and saves what is done. Its error ends the sweep.
func (r *runner) point(ctx context.Context, i int) error {
	p := &r.plan.points[i]
	var opts experiment.Options
	if r.o.Progress != nil {
		opts.Progress = func(share float64) { r.progress(i, share) }
	}
	plan, err := r.plan.plan(p)
	if err != nil {
		return err
	}
	res, err := r.o.Run(ctx, plan, opts)
	var bad *spec.UsageError
	var panicked *machine.Panicked
	switch {
	case errors.As(err, &panicked):
		return err
	case errors.As(err, &bad):
		return spec.Usagef("%s: %w", name(&p.SweepPoint), err)
	case ctx.Err() != nil && (err != nil || res == nil || res.Partial):
		return nil // a part of a window is no figure of this point
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil && res.Commands.Lost != 0 {
		err = fmt.Errorf("%d commands were lost", res.Commands.Lost)
	}
	if err != nil {
		r.errs[i] = fmt.Errorf("%s: %w", name(&p.SweepPoint), err)
		return nil
	}
	r.found[i] = p.with(plan, res)
	if r.o.Save != nil {
		return r.o.Save(r.snapshot())
	}
	return nil
}

// with is the point with its figures.
func (p *point) with(plan *experiment.Plan, r *results.Result) *results.SweepPoint {
	out := p.SweepPoint
	out.Threads = r.Experiment.Threads
	out.IOPS, out.ThroughputMB = r.IOPS, r.ThroughputMB
	out.Busy, out.HostLock, out.Contention = r.CPU.Busy, r.CPU.HostLock, r.CPU.Contention
	out.LatencyP50, out.LatencyP99 = r.Latency.P50, r.Latency.P99
	out.Bound = r.Bound
	out.Theory = theoryOf(plan, p.HBAs, out.Threads)
	return &out
}

func (r *runner) progress(i int, share float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.part[i] = share * r.plan.points[i].cost()
	sum := 0.0
	for _, c := range r.part {
		sum += c
	}
	r.o.Progress(sum / r.cost)
}

// snapshot is all that is done; the caller holds the lock.
func (r *runner) snapshot() *results.Sweep {
	s := &results.Sweep{Schema: results.SweepSchema, Definition: r.plan.Definition, Shard: r.o.Shard.String()}
	for i, f := range r.found {
		if f != nil {
			s.Points = append(s.Points, *f)
		} else if r.wanted[i] {
			s.Missing++
		}
	}
	s.Partial = s.Missing > 0
	s.SetGains()
	return s
}

func (r *runner) end(cause error) (*results.Sweep, error) {
	var bad *spec.UsageError
	if errors.As(cause, &bad) {
		return nil, cause
	}
	s := r.snapshot()
	if cause != nil {
		return s, cause
	}
	return s, errors.Join(r.errs...)
}
