package experiment

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"hostlock/machine"
	"hostlock/profiles"
)

// wallFor is how long the wall-clock profile takes: at 99 Hz, and with every
// goroutine in every sample, long enough.
const wallFor = 3 * time.Second

// liveCapture takes the genuine profiles of a window.
type liveCapture struct {
	p       *planned
	threads int

	cpuRun *profiles.CPUCapture
	locks  *profiles.LockCapture
	cpu    *profiles.Captured
	mutex  map[string]*profiles.Captured
	err    error
}

// info describes the run, for a profile's comments.
func (p *planned) info(threads int) profiles.Info {
	return profiles.Info{
		Experiment: p.spec.Name, Strategy: p.strategy.Name, Driver: p.driver.Name, Workload: p.workload.Name(),
		Machine: p.machineName, Cores: p.cores, Threads: threads, Seed: p.seed,
	}
}

// profilePath is where a profile of a kind goes; "" where none is wanted.
func (p *planned) profilePath(info profiles.Info, kind string) string {
	if p.opts.ProfilesDir == "" {
		return ""
	}
	return filepath.Join(p.opts.ProfilesDir, profiles.FileName(info, kind))
}

func (c *liveCapture) begin() {
	info := c.p.info(c.threads)
	if c.p.mutexKind() && c.p.opts.ProfilesDir != "" {
		// The block rate keeps the cheap short waits out.
		c.locks, c.err = profiles.StartLocks(c.p.opts.ProfilesDir, profiles.LockRates{Mutex: 1, Block: 1000}, info)
	}
	if c.err == nil {
		c.cpuRun, c.err = profiles.StartCPU(c.p.profilePath(info, profiles.KindCPU), c.p.params.Int("live.cpu_rate"), info)
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

// mutexKind reports whether the host lock puts its waiters to sleep.
func (p *planned) mutexKind() bool {
	return p.params.Choice("lock.host_lock") == machine.Mutex.String()
}

// wallProfile runs once more for a few seconds under fgprof, which stops the
// world for every sample, so that no other figure of that run is used.
func (p *planned) wallProfile(ctx context.Context) (string, error) {
	m, err := p.liveMachine(newLiveLabels(p.strategy.Name))
	if err != nil {
		return "", err
	}
	sys, load, err := p.assemble(m)
	if err != nil {
		return "", err
	}
	info := p.info(load.Threads())
	path := p.profilePath(info, profiles.KindWall)
	var capture *profiles.WallCapture
	var stopErr error
	_, err = m.Run(ctx, machine.Course{
		Warmup: p.warmup, Duration: min(wallFor, p.duration),
		Begin: func() { sys.BeginWindow(); load.BeginWindow(); capture = profiles.StartWall(path, info) },
		End:   func() { _, stopErr = capture.Stop(); sys.EndWindow(); load.EndWindow() },
	})
	switch {
	case capture == nil:
		return "", err
	case stopErr != nil:
		return "", fmt.Errorf("wall-clock profile: %w", stopErr)
	}
	return path, err
}
