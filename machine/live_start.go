package machine

import "runtime/pprof"

// liveStart is a thread that has not been started yet.
type liveStart struct {
	t      *Thread
	daemon bool
	fn     func(*Thread)
}

// start runs a thread in a goroutine of its own; under the mutex.
func (m *Live) start(s *liveStart) {
	m.threads[s.t] = s.t.name
	m.wg.Go(func() {
		defer m.retire(s)
		m.spread()
		m.protect(s.t, s.fn)
	})
}

// startHandler runs an interrupt's handler; under the mutex.
func (m *Live) startHandler(h *irqHandler) {
	m.threads[h.thread] = h.thread.name
	m.wg.Go(func() { m.protect(h.thread, h.run) })
}

// retire takes a thread off the books when it has returned.
func (m *Live) retire(s *liveStart) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.threads, s.t)
	if m.retired != nil {
		m.retired.addThread(s.t)
	}
	if s.daemon {
		return
	}
	if m.alive--; m.alive == 0 {
		select {
		case m.ended <- struct{}{}:
		default:
		}
	}
}

// protect is the root of every goroutine that runs code under study. It ends
// the unwinding of a stopped thread, and turns any other panic into the
// failure of the run.
func (m *Live) protect(t *Thread, fn func(*Thread)) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if _, ok := p.(stopped); !ok {
			m.fail(Caught(t.name, m.now(), p))
		}
		t.abandon()
	}()
	if m.labels != nil {
		pprof.SetGoroutineLabels(m.base)
	}
	fn(t)
}

// fail ends the run with an error; the first one counts.
func (m *Live) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure == nil {
		m.failure = err
		close(m.failed)
	}
}
