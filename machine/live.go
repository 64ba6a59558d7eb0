package machine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"go.uber.org/atomic"
)

// Live is the machine made of this computer: threads are goroutines, words
// are atomics, and time is real.
//
// Interrupt handlers and timers are goroutines too: they run beside a core's
// threads instead of preempting them, and there are no interrupts to turn off.
type Live struct {
	cfg LiveConfig

	// Read by every thread and written at most a few times.
	burnPerNano    float64
	burnChunk      int64
	pollIterations int64
	spinLimit      int
	labels         func(class, section string) context.Context
	base           context.Context
	origin         time.Time
	epoch          atomic.Int64 // Live.nano at the start of the run
	stopping       atomic.Bool
	dead           atomic.Bool // parked and spinning threads unwind

	_ [64]byte
	// yields counts how often a spinner gave up for a while.
	yields atomic.Int64
	_      [64]byte

	mu       sync.Mutex // everything below
	running  bool       // goroutines start at once
	begun    bool       // Run was called
	nextID   int
	streams  map[string]int
	pending  []*liveStart // threads that wait for Run
	threads  map[*Thread]string
	handlers []*irqHandler
	timers   []*liveTimer
	locks    []*SpinLock
	busy     map[string]int // locks that the machine could not look into
	retired  *siteTable     // what threads that have ended lost; nil outside the window
	failure  error

	alive   int           // threads that keep the run from ending
	ended   chan struct{} // has a token where alive became 0
	failed  chan struct{} // closed at the first failure
	halt    sync.Once
	halted  chan struct{} // closed by Stop
	wg      sync.WaitGroup
	pollers []poller
	report  LiveReport
}

// NewLive makes a machine of this computer for one run. Its error is one line
// that says what is legal.
func NewLive(cfg LiveConfig) (*Live, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	perNano := cfg.Calibration / 1e3
	return &Live{
		cfg:            cfg,
		burnPerNano:    perNano,
		burnChunk:      max(int64(perNano*float64(burnChunk)), 1),
		pollIterations: max(int64(perNano*float64(pollBurst)), 1),
		spinLimit:      cfg.SpinLimit,
		labels:         cfg.Labels,
		base:           cfg.BaseLabels,
		origin:         time.Now(),
		streams:        map[string]int{},
		threads:        map[*Thread]string{},
		busy:           map[string]int{},
		ended:          make(chan struct{}, 1),
		failed:         make(chan struct{}),
		halted:         make(chan struct{}),
	}, nil
}

// Name is live.
func (m *Live) Name() string { return "live" }

// Cores is GOMAXPROCS.
func (m *Live) Cores() int { return m.cfg.Cores }

// Seed is what all random sub-streams derive from.
func (m *Live) Seed() uint64 { return m.cfg.Seed }

// Calibration is the burn iterations per real microsecond.
func (m *Live) Calibration() float64 { return m.cfg.Calibration }

// LockKind is what the configuration says, or TAS.
func (m *Live) LockKind(class string) Kind {
	if kind, ok := m.cfg.LockKinds[class]; ok {
		return kind
	}
	if kind, ok := m.cfg.LockKinds[AnyClass]; ok {
		return kind
	}
	return TAS
}

// Stopping reports whether threads should finish what they do and return.
func (m *Live) Stopping() bool { return m.stopping.Load() }

// Stop ends the window now, and has the threads finish.
func (m *Live) Stop() { m.halt.Do(func() { close(m.halted) }) }

// Go adds a thread. The core is a tag; Go's scheduler places the goroutine.
func (m *Live) Go(name string, core int, daemon bool, fn func(*Thread)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead.Load() {
		return
	}
	t := m.newThread(name, name, core)
	s := &liveStart{t: t, daemon: daemon, fn: fn}
	if !daemon {
		m.alive++
	}
	if m.running {
		m.start(s)
		return
	}
	m.pending = append(m.pending, s)
}

// newThread makes a thread of this machine, under its mutex.
func (m *Live) newThread(name, stream string, core int) *Thread {
	t := &Thread{live: m, name: name, id: m.nextID, core: wrap(core, m.cfg.Cores), rng: Rand(m.cfg.Seed, stream)}
	m.nextID++
	return t
}

// adopt makes l a lock of this machine.
func (m *Live) adopt(l *SpinLock) {
	l.untilSlow = sampleEvery - 1
	if l.kind == Mutex {
		l.untilSlow = 0
		l.state.Store(sampled) // never free: see lockMutex
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.locks = append(m.locks, l)
}

// streamName makes the names of timers and interrupts, of which a machine may
// have many of one name, into names of different random sub-streams.
func (m *Live) streamName(name string) string {
	m.streams[name]++
	if n := m.streams[name]; n > 1 {
		return fmt.Sprintf("%s#%d", name, n)
	}
	return name
}

func streamOnCore(stream string, core int) string { return fmt.Sprintf("%s/%d", stream, core) }

// wrap is core as a tag from 0 to n-1.
func wrap(core, n int) int {
	if core %= n; core < 0 {
		core += n
	}
	return core
}

// nano is the real time since the machine was made, in nanoseconds, never 0.
func (m *Live) nano() int64 { return int64(time.Since(m.origin)) + 1 }

// now is the experiment's time since the run began, 0 before it.
func (m *Live) now() time.Duration {
	epoch := m.epoch.Load()
	if epoch == 0 {
		return 0
	}
	return time.Duration(m.nano() - epoch)
}
