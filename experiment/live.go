package experiment

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/profiles"
	"hostlock/results"
)

const (
	// DrainTime is about how long the last I/Os of a live run take to finish.
	DrainTime = time.Second
	// LiveWarmup is the least warm-up: some 30 rounds of a thread, in which
	// goroutines' stacks and histograms grow to their size.
	LiveWarmup = 500 * time.Millisecond
	// WallTime is how long the wall-clock profile takes: at 99 Hz, and with
	// every goroutine in every sample, long enough.
	WallTime = 3 * time.Second
)

// Estimate is about how long a run on this computer will keep it busy.
func (p *Plan) Estimate(o Options) time.Duration {
	d := p.warmup + p.duration + DrainTime
	if o.ProfilesDir != "" {
		d += p.warmup + min(WallTime, p.duration) + DrainTime
	}
	return d
}

// runLive is Run on this computer. It measures once, and takes the wall-clock
// profile in a run of its own afterwards, where profiles are wanted.
func (p *Plan) runLive(ctx context.Context, o Options) (*results.Result, error) {
	res, err := p.measureLive(ctx, o)
	if err != nil || o.ProfilesDir == "" || ctx.Err() != nil {
		return res, err
	}
	path, err := p.wallProfile(ctx, o)
	if path != "" {
		res.Profiles.Set(profiles.KindWall, path)
	}
	if errors.Is(err, context.Canceled) {
		err = nil // the figures are whole; only this profile is cut short
	}
	return res, err
}

// liveMachine makes this computer the machine of the run.
func (p *Plan) liveMachine(o Options) (*machine.Live, error) {
	kinds, err := p.lockKinds()
	if err != nil {
		return nil, err
	}
	labels := newLiveLabels(p.strategy.Name)
	m, err := machine.NewLive(machine.LiveConfig{
		Cores: p.id.Cores, Seed: p.id.Seed,
		LockKinds:   kinds,
		Calibration: o.Calibration,
		// A sleeping lock's waiters are woken on the core that released it, and
		// a polled core does not steal them.
		IdlePollers: p.params.Bool("live.idle_pollers") && !sleeps(kinds),
		Labels:      labels.of, BaseLabels: labels.base,
	})
	if err != nil {
		return nil, spec.Usagef("%w", err)
	}
	return m, nil
}

// measureLive is the run whose figures count.
func (p *Plan) measureLive(ctx context.Context, o Options) (_ *results.Result, err error) {
	defer p.caught(&err)
	m, err := p.liveMachine(o)
	if err != nil {
		return nil, err
	}
	sys, err := p.assemble(m)
	if err != nil {
		return nil, err
	}
	capture := &liveCapture{p: p, dir: o.ProfilesDir, info: profiles.Info{Identity: p.id}}
	capture.info.Threads = sys.load.Threads()
	// What was allocated before would otherwise be collected in the window.
	runtime.GC()
	acct, runErr := m.Run(ctx, machine.Course{
		Warmup: p.warmup, Duration: p.duration,
		Begin:    func() { capture.begin(); sys.begin() },
		End:      func() { sys.end(); capture.end() },
		Progress: o.Progress,
	})
	if err := p.unmeasured(sys, acct, runErr); err != nil {
		return nil, err
	}
	if capture.cpu == nil {
		// Interrupted in the warm-up, or never begun.
		return nil, errors.Join(runErr, capture.err)
	}
	res, err := p.liveResult(acct, m.Report(), sys, capture)
	p.cutShort(ctx, res, acct, sys)
	if err != nil {
		return res, errors.Join(err, runErr)
	}
	return res, errors.Join(runErr, p.checks(sys))
}

// wallProfile runs once more for a few seconds under fgprof, which stops the
// world for every sample, so that no other figure of that run is used.
func (p *Plan) wallProfile(ctx context.Context, o Options) (string, error) {
	m, err := p.liveMachine(o)
	if err != nil {
		return "", err
	}
	sys, err := p.assemble(m)
	if err != nil {
		return "", err
	}
	info := profiles.Info{Identity: p.id}
	info.Threads = sys.load.Threads()
	path := filepath.Join(o.ProfilesDir, profiles.FileName(info, profiles.KindWall))
	var capture *profiles.WallCapture
	var stopErr error
	_, err = m.Run(ctx, machine.Course{
		Warmup: p.warmup, Duration: min(WallTime, p.duration),
		Begin: func() { sys.begin(); capture = profiles.StartWall(path, info) },
		End:   func() { _, stopErr = capture.Stop(); sys.end() },
	})
	switch {
	case capture == nil:
		return "", err
	case stopErr != nil:
		return "", fmt.Errorf("wall-clock profile: %w", stopErr)
	}
	return path, err
}

// liveCapture takes the genuine profiles of a window.
type liveCapture struct {
	p    *Plan
	dir  string // "" writes none
	info profiles.Info

	cpuRun *profiles.CPUCapture
	locks  *profiles.LockCapture
	cpu    *profiles.Captured
	mutex  map[string]*profiles.Captured
	err    error
}

// path is where a profile of a kind goes; "" where none is wanted.
func (c *liveCapture) path(kind string) string {
	if c.dir == "" {
		return ""
	}
	return filepath.Join(c.dir, profiles.FileName(c.info, kind))
}

func (c *liveCapture) begin() {
	if c.p.mutexKind() && c.dir != "" {
		// The block rate keeps the cheap short waits out.
		c.locks, c.err = profiles.StartLocks(c.dir, profiles.LockRates{Mutex: 1, Block: 1000}, c.info)
	}
	if c.err == nil {
		c.cpuRun, c.err = profiles.StartCPU(c.path(profiles.KindCPU), c.p.params.Int("live.cpu_rate"), c.info)
	}
}

func (c *liveCapture) end() {
	if c.cpuRun != nil {
		var err error
		if c.cpu, err = c.cpuRun.Stop(); err != nil && c.err == nil {
			c.err = err
		}
	}
	if c.locks != nil {
		var err error
		if c.mutex, err = c.locks.Stop(); err != nil && c.err == nil {
			c.err = err
		}
	}
}

// liveLabels are the goroutine labels of a live run, made beforehand: a waiter
// sets one without allocating.
type liveLabels struct {
	base  context.Context
	known *profiles.Labels
}

// lockClasses are those that labels are made for beforehand: the mid-layer's
// and the shipped drivers'.
var lockClasses = []string{
	profiles.ClassHostLock, "queue_lock", "list_lock", "free_list_lock", "FreeQ", "lookup_lock",
}

func newLiveLabels(strategy string) *liveLabels {
	known := profiles.NewLabels(strategy, results.Functions, lockClasses)
	return &liveLabels{base: known.Context("", ""), known: known}
}

// of is the labels of a place where a thread waits. The machine asks once for
// each place and keeps the answer, so a class that nobody knew beforehand,
// such as that of a user's own strategy, may be made here.
func (l *liveLabels) of(class, section string) context.Context {
	if slices.Contains(lockClasses, class) {
		return l.known.Context(section, class)
	}
	return profiles.WithLock(l.known.Context(section, ""), class)
}
