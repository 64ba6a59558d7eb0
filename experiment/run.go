package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"time"

	"hostlock/dispatch"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/machine/sim"
	"hostlock/results"
	"hostlock/workload"
)

// Options say how a plan is run, which changes no figure.
type Options struct {
	// ProfilesDir is where profiles go; "" writes none.
	ProfilesDir string
	// Calibration is the live machine's iterations of the work loop per
	// microsecond; 0 is measured once a process. All runs of a comparison share
	// one.
	Calibration float64
	// Progress, where not nil, is called with the share of the run that is
	// over, 0 to 1.
	Progress func(done float64)
}

// Runner runs a plan: [Run], or what stands for it in a test.
type Runner func(context.Context, *Plan, Options) (*results.Result, error)

// Run runs a plan and returns what it found.
//
// Its error is a [spec.UsageError] where the system that was assembled refuses
// the request. Where ctx was cancelled it wraps the context's error, and the
// result, marked partial, holds what was measured until then. Where a check
// failed (a lost command, a broken limit, a budget that does not close) the
// result is there too. Where the program panicked the error is a [Bug], and
// there is none.
func Run(ctx context.Context, p *Plan, o Options) (*results.Result, error) {
	if p.Live() {
		return p.runLive(ctx, o)
	}
	return p.runSim(ctx, o)
}

// system is an assembled run: the mid-layer and its load on a machine.
type system struct {
	*dispatch.System
	load workload.Run
}

func (s *system) begin() { s.BeginWindow(); s.load.BeginWindow() }
func (s *system) end()   { s.EndWindow(); s.load.EndWindow() }

// assemble puts the mid-layer and the load on a machine that has not begun.
func (p *Plan) assemble(m machine.Machine) (*system, error) {
	sys, err := dispatch.New(m, dispatch.Config{
		Strategy: p.strategy.Name, Driver: p.driver.Name, Params: p.params,
		// Every LUN is a target of its own, as the disks of a JBOD are.
		Hosts: p.load.HBAs, Targets: p.load.LUNsPerHBA, LUNs: 1,
		Layout: p.layout,
	})
	if err != nil {
		return nil, p.blame(err)
	}
	load, err := p.workload.Start(workload.Env{
		Machine: m, System: sys, Params: p.params, Threads: p.load.Threads, Scale: p.load.Factor,
	})
	if err != nil {
		return nil, spec.Usagef("%w", err)
	}
	return &system{sys, load}, nil
}

// simMachine makes the simulated machine of the run.
func (p *Plan) simMachine() (machine.Machine, error) {
	kinds, err := p.lockKinds()
	if err != nil {
		return nil, err
	}
	cfg := sim.Config{
		Cores: p.id.Cores, Sockets: p.sockets, Seed: p.id.Seed, Costs: sim.CostsFrom(p.params),
		LockKinds: kinds,
	}
	if p.params.Choice("sched.placement") == "idle-core" {
		cfg.Placement = sim.IdleCore
	}
	m, err := sim.New(cfg)
	if err != nil {
		return nil, spec.Usagef("%w", err)
	}
	return m, nil
}

// runSim is Run in virtual time.
func (p *Plan) runSim(ctx context.Context, o Options) (_ *results.Result, err error) {
	defer p.caught(&err)
	m, err := p.simMachine()
	if err != nil {
		return nil, err
	}
	sys, err := p.assemble(m)
	if err != nil {
		return nil, err
	}
	acct, runErr := m.Run(ctx, machine.Course{
		Warmup: p.warmup, Duration: p.duration, Begin: sys.begin, End: sys.end, Progress: o.Progress,
	})
	if err := p.unmeasured(sys, acct, runErr); err != nil {
		return nil, err
	}
	res, err := p.simResult(acct, sys, o)
	p.cutShort(ctx, res, acct, sys)
	var unwritten *fs.PathError
	if err != nil && ctx.Err() != nil && !errors.As(err, &unwritten) {
		return nil, fmt.Errorf("interrupted before anything was measured: %w", context.Cause(ctx))
	}
	if err != nil {
		return res, err
	}
	if acct.Undrained {
		return res, runErr
	}
	return res, errors.Join(p.checks(sys), runErr) // what was lost says why nothing went on
}

// unmeasured is why a run has no result: it panicked, or came to its end before
// the window began, so that there is no rate, and not one of 0.
func (p *Plan) unmeasured(sys *system, acct *machine.Account, runErr error) error {
	var panicked *machine.Panicked
	switch {
	case errors.As(runErr, &panicked):
		return p.bug(sys.load.Threads(), panicked)
	case acct == nil, errors.As(runErr, new(*sim.Livelock)):
		return runErr
	}
	if err := sys.load.Err(); acct.Cut && acct.Window == 0 && err != nil {
		return errors.Join(fmt.Errorf("nothing was measured: the workload ended in the warm-up: %w", blamed(err, sys)), runErr)
	}
	return nil
}

// cutShort marks a result whose window ended before its time, and says why where
// it was the workload that ended.
func (p *Plan) cutShort(ctx context.Context, r *results.Result, acct *machine.Account, sys *system) {
	if r == nil {
		return
	}
	r.Partial = acct.Cut || ctx.Err() != nil
	if r.IOPS == 0 && !r.Partial {
		c := sys.Window()
		r.Warnings = append(r.Warnings, fmt.Sprintf("IOPS is 0: in the %v measured %d commands were issued, and none came back; a longer --duration, or a load whose work between two commands takes less, would show a rate",
			acct.Window, c.Issued))
	}
	if n := r.Commands.Lost; acct.Undrained && n > 0 {
		r.Commands.Lost = 0
		r.Warnings = append(r.Warnings, fmt.Sprintf("the run was interrupted while its threads finished: %d commands were under way, and are not lost", n))
	}
	if err := sys.load.Err(); err != nil && acct.Cut {
		r.Ended = fmt.Sprintf("the workload ended after %v of the %v to be measured: %v",
			acct.Window.Round(time.Microsecond), p.duration, err)
		r.Warnings = append(r.Warnings, r.Ended)
	}
}

// checks are what every run must pass, whatever it measured.
func (p *Plan) checks(sys *system) error {
	if n := sys.Livelocked(); n != 0 {
		return fmt.Errorf("%w: tried %d times", dispatch.ErrLivelock, n)
	}
	if c := sys.Ledger(); c.Lost != 0 {
		return p.lost(sys, c)
	}
	if n := sys.Ledger().Duplicates; n != 0 {
		return fmt.Errorf("%d commands were completed twice", n)
	}
	for _, v := range sys.LimitViolations() {
		return fmt.Errorf("the limit of %s is %d, and %d commands came above it, %d at a time", v.What, v.Limit, v.Over, v.Max)
	}
	if err := sys.load.Err(); err != nil {
		return fmt.Errorf("workload: %w", blamed(err, sys))
	}
	return nil
}

// Bug is a run in which the program panicked, with what it takes to run it
// again. The run has no result.
type Bug struct {
	results.Identity
	Panic *machine.Panicked
}

// Error is the run, what happened, and the stack in the lines below.
func (b *Bug) Error() string { return fmt.Sprintf("%s: %v", b.Run(), b.Panic) }

// Run names the run.
func (b *Bug) Run() string {
	return fmt.Sprintf("strategy %s, driver %s, workload %s, machine %s, %s, seed %d",
		b.Strategy, b.Driver, b.Workload, b.Machine, results.Count(b.Cores, "core"), b.Seed)
}

// Unwrap is the panic.
func (b *Bug) Unwrap() error { return b.Panic }

func (p *Plan) bug(threads int, panicked *machine.Panicked) error {
	b := &Bug{Identity: p.id, Panic: panicked}
	b.Threads = threads
	return b
}

// caught turns a panic of the calling goroutine into a [Bug]; deferred.
func (p *Plan) caught(err *error) {
	if v := recover(); v != nil {
		*err = p.bug(p.id.Threads, machine.Caught("", 0, v))
	}
}

// Each calls do(i) for 0 <= i < n on all of this computer's cores: virtual
// time does not mind company. The first error ends it, and so does a panic, as
// an error. Progress, where not nil, is called with the share of the calls that
// are done, from several goroutines.
func Each(ctx context.Context, n int, progress func(float64), do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		next int
		done int
	)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					cancel(machine.Caught("", 0, v))
				}
			}()
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n || ctx.Err() != nil {
					return
				}
				if err := do(ctx, i); err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				done++
				if progress != nil {
					progress(float64(done) / float64(n))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
