package soak

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/sim"
)

const (
	// parts is how many readings there are after the one at the start.
	parts = 10
	// batch is the most commands that a thread claims at a time.
	batch = 1000
)

// soak is one run.
type soak struct {
	cfg     Config
	ctx     context.Context
	m       machine.Machine
	sys     *dispatch.System
	issuers []issuer
	clock   clock
	batch   int64
	left    atomic.Int64 // threads

	mu    sync.Mutex // one reading at a time
	taken []Reading

	_       [64]byte
	claimed atomic.Int64
	_       [64]byte
}

// Run soaks a strategy. Its error is about the request; what went wrong in the
// run is in the report, and so is what had been done when ctx was cancelled.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	s := &soak{cfg: cfg, ctx: ctx, batch: min(batch, max(cfg.Commands/int64(parts*cfg.Threads), 1))}
	if s.m, err = cfg.machine(); err != nil {
		return nil, err
	}
	if s.sys, err = cfg.system(s.m); err != nil {
		return nil, err
	}
	s.issuers = make([]issuer, cfg.Threads)
	s.left.Store(int64(cfg.Threads))
	s.taken = make([]Reading, 0, parts+2)
	for n := range s.issuers {
		i := &s.issuers[n]
		i.s = s
		s.m.Go("soak/"+strconv.Itoa(n), n%s.m.Cores(), false, i.run)
	}
	s.m.Go("watch", 0, true, s.watch)
	s.clock = startClock()
	s.read()
	_, err = s.m.Run(ctx, s.course())
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		err = nil
	}
	return s.judge(err), nil
}

func (c *Config) machine() (machine.Machine, error) {
	if c.Machine == "sim" {
		return sim.New(sim.Config{Cores: c.Cores, Sockets: min(c.Cores, 2), Seed: c.Seed, Costs: sim.DefaultCosts()})
	}
	return machine.NewLive(machine.LiveConfig{Seed: c.Seed})
}

func (c *Config) system(m machine.Machine) (*dispatch.System, error) {
	p, err := c.params()
	if err != nil {
		return nil, err
	}
	return dispatch.New(m, dispatch.Config{Strategy: c.Strategy, Driver: c.Driver, Params: p, Targets: targets, LUNs: luns})
}

// course lasts until all threads have returned. The simulated machine has no such
// course: there the window is over at once, and the rest is its drain.
func (s *soak) course() machine.Course {
	if s.cfg.Machine == "sim" {
		const ever = 1 << 62
		return machine.Course{Duration: 1, Drain: ever}
	}
	return machine.Course{Drain: s.cfg.Patience}
}

// claim takes the next commands for a thread, 0 where there are no more. Whoever
// comes past a tenth takes the reading.
func (s *soak) claim() int64 {
	if s.ctx.Err() != nil {
		return 0
	}
	to := s.claimed.Add(s.batch)
	from := to - s.batch
	if tenth := s.cfg.Commands / parts; from/tenth != to/tenth && to < s.cfg.Commands {
		s.read()
	}
	return min(s.batch, max(s.cfg.Commands-from, 0))
}

// leave is called by every thread when it has done. The last takes a reading,
// while the machine is as it was.
func (s *soak) leave() {
	if s.left.Add(-1) == 0 {
		s.read()
	}
}

// back is how many commands have come back.
func (s *soak) back() (n int64) {
	for i := range s.issuers {
		n += s.issuers[i].back.Load()
	}
	return n
}

func (s *soak) read() {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.clock.read(s.back())
	s.taken = append(s.taken, r)
	if s.cfg.Progress != nil {
		s.cfg.Progress(r)
	}
}

// watch ends a run in which nothing comes back any more.
func (s *soak) watch(t *machine.Thread) {
	for last := int64(-1); ; {
		t.Sleep(s.cfg.Patience)
		now := s.back()
		if now == last {
			panic(fmt.Sprintf("%s no command has come back for %v", stalled, s.cfg.Patience))
		}
		last = now
	}
}

// stalled marks the watch's words among a machine's.
const stalled = "soak:"

// reason is what a machine's error says, without its stack.
func reason(err error) string {
	text := err.Error()
	if i := strings.Index(text, stalled); i >= 0 {
		text = text[i+len(stalled):]
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first
}
