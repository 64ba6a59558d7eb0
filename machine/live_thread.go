package machine

import (
	"runtime"
	"time"

	"go.uber.org/atomic"
)

const (
	// relaxTurns is how many turns of a retry loop run before others may: a
	// peer between two steps is done in that time (some 2 us), and one that
	// is not is not running.
	relaxTurns = 1024
	// sleepSlice bounds how long a thread sleeps without looking whether the
	// run has been ended, in real time.
	sleepSlice = 50 * time.Millisecond
)

// liveThread is what the live machine keeps with each thread.
type liveThread struct {
	waiting atomic.Pointer[Completion] // what the thread waits for, or waited for last
	sites   atomic.Pointer[spinSite]
	turns   uint32 // of retry loops
	arms    uint32 // of timers
	nheld   int
	held    [maxHeld]heldLock
}

// waitLive gives the core up until something is completed.
//
// No wake-up is lost. Complete counts first and leaves its token afterwards,
// so a waiter that saw no count finds that token or an older one, and looks
// again. The end of the run marks the machine first and looks for waiters
// afterwards, while a waiter says what it waits for first and looks at the
// mark afterwards: one of the two sees the other.
func (c *Completion) waitLive(t *Thread) {
	t.lv.waiting.Store(c)
	for c.done.Load() <= 0 {
		t.live.checkAlive()
		<-c.wake
	}
	c.done.Dec()
	t.live.spread()
}

// completeLive leaves one completion and a token for the waiter.
func (c *Completion) completeLive() {
	c.done.Inc()
	c.prod()
}

// prod makes the waiter look again.
func (c *Completion) prod() {
	select {
	case c.wake <- struct{}{}:
	default: // a token is there already
	}
}

// relaxLive is one turn of a retry loop.
func (t *Thread) relaxLive() {
	t.lv.turns++
	if t.lv.turns%relaxTurns == 0 {
		t.live.checkAlive()
		runtime.Gosched()
	}
}

// sleep gives the core up for d, in the experiment's scale. It is time.Sleep,
// since that alone is on time both on an idle and on a busy core, as long as
// there are pollers; a timer through the network poller is 10 ms late on a
// busy one.
func (m *Live) sleep(d time.Duration) {
	for left := d; ; left -= sleepSlice {
		m.checkAlive()
		if left <= sleepSlice {
			time.Sleep(left)
			m.spread()
			return
		}
		time.Sleep(sleepSlice)
	}
}

// yield lets other goroutines run.
func (m *Live) yield() {
	m.checkAlive()
	runtime.Gosched()
}

// checkAlive unwinds the calling thread once the run has been ended.
func (m *Live) checkAlive() {
	if m.dead.Load() {
		panic(stopped{})
	}
}
