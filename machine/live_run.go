package machine

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"
)

const (
	// progressEvery is how often a run reports how far it is, in real time.
	progressEvery = 200 * time.Millisecond
	// defaultDrain and interruptedDrain bound the drain in real time, whatever
	// the scale: a lost command must not cost five minutes, nor Ctrl-C thirty
	// seconds.
	defaultDrain     = 30 * time.Second
	interruptedDrain = 2 * time.Second
	// unwindPatience is how long an ended thread may take to unwind.
	unwindPatience = 10 * time.Second
)

// errEnded ends a phase whose threads have all returned.
var errEnded = errors.New("all threads have returned")

// errHalted ends a phase that Stop cuts short.
var errHalted = errors.New("stopped before its time")

// Run runs everything that was added with Go, once. A course without Duration
// lasts until all threads but the daemons have returned.
//
// The Account is there even with an error, with what was measured until then:
// where the context was cancelled (the error wraps its cause), where a thread
// panicked, or where one would not end. Begin and End are called from this
// goroutine while the threads run on.
func (m *Live) Run(ctx context.Context, c Course) (*Account, error) {
	if err := m.launch(); err != nil {
		return nil, err
	}
	acc := &Account{Cores: m.cfg.Cores}
	why := error(nil)
	if c.Warmup > 0 {
		why = m.phase(ctx, c.Warmup, nil)
	}
	if why == nil {
		w := m.beginWindow(c)
		why = m.phase(ctx, c.Duration, c.Progress)
		m.endWindow(w, c, acc)
	}
	m.stopping.Store(true)
	acc.Cut = why != nil && !errors.Is(why, errEnded)
	switch {
	case errors.Is(why, errHalted): // whoever stopped it knows why
		why = nil
	case errors.Is(why, errEnded):
		if c.Duration > 0 {
			acc.note("all threads had returned after %v of the window", acc.Window)
		}
		why = nil
	case why != nil:
		acc.note("partial: the window ended after %v", acc.Window.Round(time.Millisecond))
	}
	m.drain(ctx, c.Drain, acc)
	m.kill()
	failure := m.reap()
	if errors.Is(why, failure) {
		failure = nil
	}
	return acc, errors.Join(why, failure)
}

// launch starts all goroutines and the clock.
func (m *Live) launch() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.begun {
		return errors.New("a live machine runs once")
	}
	m.begun, m.running = true, true
	m.epoch.Store(m.nano())
	if m.cfg.IdlePollers {
		m.pollers = make([]poller, m.cfg.Cores)
		for i := range m.pollers {
			m.wg.Go(func() { m.pollers[i].run(m) })
		}
	}
	for _, h := range m.handlers {
		m.startHandler(h)
	}
	for _, s := range m.pending {
		m.start(s)
	}
	m.pending = nil
	if m.alive == 0 {
		m.ended <- struct{}{}
	}
	return nil
}

// phase waits for d of the experiment's time, or without end where d is 0. It
// returns early, and says why, where there is nothing more to wait for.
func (m *Live) phase(ctx context.Context, d time.Duration, progress func(float64)) error {
	from, whole := m.nano(), d
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	var over <-chan time.Time
	if d > 0 {
		end := time.NewTimer(whole)
		defer end.Stop()
		over = end.C
	}
	for {
		select {
		case <-over:
			if progress != nil {
				progress(1)
			}
			return nil
		case <-tick.C:
			if progress != nil && whole > 0 {
				progress(min(float64(m.nano()-from)/float64(whole), 1))
			}
		case <-ctx.Done():
			return fmt.Errorf("interrupted: %w", context.Cause(ctx))
		case <-m.failed:
			return m.failure
		case <-m.halted:
			return errHalted
		case <-m.ended:
			if m.allReturned() {
				return errEnded
			}
		}
	}
}

// allReturned reports whether only daemons are left, and leaves the token
// for whoever asks next.
func (m *Live) allReturned() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.alive > 0 {
		return false
	}
	select {
	case m.ended <- struct{}{}:
	default:
	}
	return true
}

// drain lets the threads finish what they do.
func (m *Live) drain(ctx context.Context, limit time.Duration, acc *Account) {
	patience := limit
	if limit == 0 {
		patience = defaultDrain
	}
	over := time.NewTimer(patience)
	defer over.Stop()
	done := ctx.Done()
	for {
		select {
		case <-over.C:
			acc.note("gave up on threads that had not finished: %s", m.unfinished())
			return
		case <-done:
			done = nil
			over.Reset(min(patience, interruptedDrain))
		case <-m.failed:
			return
		case <-m.ended:
			if m.allReturned() {
				return
			}
		}
	}
}

// kill makes every thread unwind at its next operation that may wait.
func (m *Live) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dead.Store(true)
	for _, lt := range m.timers {
		lt.timer.Stop()
	}
	for t := range m.threads {
		if c := t.lv.waiting.Load(); c != nil {
			c.prod()
		}
	}
	for _, h := range m.handlers {
		h.prod()
	}
}

// reap waits until all goroutines are gone, and returns what went wrong.
func (m *Live) reap() error {
	gone := make(chan struct{})
	go func() {
		m.wg.Wait()
		close(gone)
	}()
	over := time.NewTimer(unwindPatience)
	defer over.Stop()
	select {
	case <-gone:
	case <-over.C:
		m.fail(fmt.Errorf("threads neither wait nor return, and are left behind: %s", m.unfinished()))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, lt := range m.timers {
		// Again, since a thread may have armed it while it was being stopped.
		lt.timer.Stop()
		for from := m.nano(); lt.fired.Load() != 0 && m.nano()-from < int64(unwindPatience); {
			m.mu.Unlock()
			time.Sleep(time.Millisecond)
			m.mu.Lock()
		}
		m.report.TimerLate.Merge(lt.late)
	}
	return m.failure
}

// unfinished names the threads that are left, the first few of them.
func (m *Live) unfinished() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	handler := map[*Thread]bool{}
	for _, h := range m.handlers {
		handler[h.thread] = true
	}
	var names []string
	for t, name := range m.threads {
		if !handler[t] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	const enough = 5
	if more := len(names) - enough; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:enough], ", "), more)
	}
	return strings.Join(names, ", ")
}
