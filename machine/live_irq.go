package machine

import "go.uber.org/atomic"

// liveIRQ is an IRQ on the live machine: a handler goroutine for each core.
// It runs beside the threads of its core instead of preempting them.
type liveIRQ struct {
	handlers []*irqHandler
}

// adoptIRQ makes q an interrupt of this machine.
func (m *Live) adoptIRQ(q *IRQ) {
	m.mu.Lock()
	defer m.mu.Unlock()
	stream := m.streamName(q.name)
	for core := range m.cfg.Cores {
		h := &irqHandler{
			wake:   make(chan struct{}, 1),
			thread: m.newThread(q.name, streamOnCore(stream, core), core),
			fn:     q.fn,
		}
		q.live.handlers = append(q.live.handlers, h)
		m.handlers = append(m.handlers, h)
		if m.running {
			m.startHandler(h)
		}
	}
}

// raise makes the interrupt pending on a core.
//
// It must be an exchange even where the interrupt is pending already: what
// this thread wrote before has to be visible to the handler, and a plain look
// at the flag would not order that.
func (q *liveIRQ) raise(core int) {
	h := q.handlers[wrap(core, len(q.handlers))]
	if !h.pending.Swap(true) {
		h.prod()
	}
}

// irqHandler serves one interrupt on one core.
type irqHandler struct {
	_       [64]byte
	pending atomic.Bool
	wake    chan struct{}
	thread  *Thread
	fn      func(*Thread)
	_       [64]byte
}

// prod makes the handler look at its flag.
func (h *irqHandler) prod() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// run serves the interrupt until the run is over. The flag goes down before
// the function runs, so a raise that comes while it runs makes it run again.
func (h *irqHandler) run(t *Thread) {
	for {
		<-h.wake
		t.live.checkAlive()
		if h.pending.Swap(false) {
			h.fn(t)
		}
	}
}
