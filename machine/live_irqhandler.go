package machine

import "go.uber.org/atomic"

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
