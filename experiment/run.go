package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/results"
	"hostlock/workload"
)

// Run runs an experiment and returns what it found.
//
// Its error is a [UsageError] where the request was wrong. Where ctx was
// cancelled it wraps the context's error, and the result, marked partial,
// holds what was measured until then. Where a check failed (a lost command, a
// broken limit, a budget that does not close) the result is there too. Where
// the program panicked the error is a [Bug], and there is none.
func Run(ctx context.Context, spec *Spec, opts Options) (*results.Result, error) {
	p, err := plan(spec, opts)
	if err != nil {
		return nil, err
	}
	if p.machineName == "live" {
		return p.runLive(ctx)
	}
	return p.runSim(ctx)
}

// runSim is Run in virtual time.
func (p *planned) runSim(ctx context.Context) (_ *results.Result, err error) {
	defer p.caught(&err)
	m, err := p.machine()
	if err != nil {
		return nil, err
	}
	sys, load, err := p.assemble(m)
	if err != nil {
		return nil, err
	}
	acct, runErr := m.Run(ctx, machine.Course{
		Warmup: p.warmup, Duration: p.duration,
		Begin:    func() { sys.BeginWindow(); load.BeginWindow() },
		End:      func() { sys.EndWindow(); load.EndWindow() },
		Progress: p.opts.Progress,
	})
	if bug := p.bug(runErr); bug != nil {
		return nil, bug
	}
	if acct == nil {
		return nil, runErr
	}
	if err := nothingMeasured(acct, sys, load); err != nil {
		return nil, errors.Join(err, runErr)
	}
	res, err := p.result(acct, sys, load)
	p.cutShort(ctx, res, acct, load)
	var unwritten *fs.PathError
	if err != nil && ctx.Err() != nil && !errors.As(err, &unwritten) {
		return nil, fmt.Errorf("interrupted before anything was measured: %w", context.Cause(ctx))
	}
	if err != nil {
		return res, err
	}
	return res, errors.Join(p.checks(sys, load), runErr) // what was lost says why nothing went on
}

// assemble puts the mid-layer and the load on a machine that has not begun.
func (p *planned) assemble(m machine.Machine) (*dispatch.System, workload.Run, error) {
	if err := p.refused(); err != nil {
		return nil, nil, err
	}
	sys, err := dispatch.New(m, dispatch.Config{
		Strategy: p.strategy.Name, Driver: p.driver.Name, Params: p.params,
		// Every LUN is a target of its own, as the disks of a JBOD are.
		Hosts: p.load.HBAs, Targets: p.load.LUNsPerHBA, LUNs: 1,
	})
	if err != nil {
		return nil, nil, p.blame(err)
	}
	load, err := p.workload.Start(workload.Env{
		Machine: m, System: sys, Params: p.params, Threads: p.load.Threads, Scale: p.load.Factor,
	})
	if err != nil {
		return nil, nil, Usagef("%w", err)
	}
	return sys, load, nil
}

// checks are what every run must pass, whatever it measured.
func (p *planned) checks(sys *dispatch.System, load workload.Run) error {
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
	if err := load.Err(); err != nil {
		return fmt.Errorf("workload: %w", blamed(err, sys))
	}
	return nil
}
