package experiment

import (
	"context"
	"errors"
	"runtime"

	"hostlock/machine"
	"hostlock/profiles"
	"hostlock/results"
)

// liveMachine makes this computer the machine of the run.
func (p *planned) liveMachine(labels *liveLabels) (*machine.Live, error) {
	kind, err := machine.ParseKind(p.params.Choice("lock.host_lock"))
	if err != nil {
		return nil, Usagef("lock.host_lock: %w", err)
	}
	m, err := machine.NewLive(machine.LiveConfig{
		Cores: p.cores, Seed: p.seed,
		LockKinds:   map[string]machine.Kind{profiles.ClassHostLock: kind},
		Calibration: p.opts.Calibration,
		// A sleeping lock's waiters are woken on the core that released it, and
		// a polled core does not steal them.
		IdlePollers: p.params.Bool("live.idle_pollers") && kind != machine.Mutex,
		Labels:      labels.of, BaseLabels: labels.base,
	})
	if err != nil {
		return nil, Usagef("%w", err)
	}
	return m, nil
}

// runLive is Run on this computer. It derives the load, measures once, and takes
// the wall-clock profile in a run of its own afterwards, where profiles are
// wanted.
func (p *planned) runLive(ctx context.Context) (*results.Result, error) {
	if p.opts.Derivation == nil && p.params.Bool("live.derive") && Derivable(p.spec) {
		opts := p.opts
		var err error
		if opts.Derivation, err = DeriveHere(ctx, p.spec); err != nil {
			return nil, err
		}
		if p, err = plan(p.spec, opts); err != nil {
			return nil, err
		}
	}
	res, err := p.measureLive(ctx)
	if err != nil || p.opts.ProfilesDir == "" || ctx.Err() != nil {
		return res, err
	}
	path, err := p.wallProfile(ctx)
	if path != "" {
		res.Profiles.Set(profiles.KindWall, path)
	}
	if errors.Is(err, context.Canceled) {
		err = nil // the figures are whole; only this profile is cut short
	}
	return res, err
}

// measureLive is the run whose figures count.
func (p *planned) measureLive(ctx context.Context) (_ *results.Result, err error) {
	defer p.caught(&err)
	labels := newLiveLabels(p.strategy.Name)
	m, err := p.liveMachine(labels)
	if err != nil {
		return nil, err
	}
	sys, load, err := p.assemble(m)
	if err != nil {
		return nil, err
	}
	capture := &liveCapture{p: p, threads: load.Threads()}
	// What was allocated before would otherwise be collected in the window.
	runtime.GC()
	acct, runErr := m.Run(ctx, machine.Course{
		Warmup: p.warmup, Duration: p.duration,
		Begin:    func() { capture.begin(); sys.BeginWindow(); load.BeginWindow() },
		End:      func() { sys.EndWindow(); load.EndWindow(); capture.end() },
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
	if capture.cpu == nil {
		// Interrupted in the warm-up, or never begun.
		return nil, errors.Join(runErr, capture.err)
	}
	res, err := p.liveResult(acct, m, sys, load, capture)
	p.cutShort(ctx, res, acct, load)
	if err != nil {
		return res, errors.Join(err, runErr)
	}
	return res, errors.Join(runErr, p.checks(sys, load))
}
