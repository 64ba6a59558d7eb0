package machine

import (
	"runtime"
	"time"

	"go.uber.org/atomic"
)

const (
	// pollBurst is how long a poller runs before it lets others run, in real
	// time, and so how late it may make a timer. Shorter bursts would leave
	// more of the idle time to the scheduler's own functions, where a profile
	// cannot tell it from work.
	pollBurst = 2 * time.Microsecond
	// pollEmpty is the longest that a call of Gosched takes which found
	// nothing else to run; what took longer was somebody's work.
	pollEmpty = 700 * time.Nanosecond
	// pollLongest is the longest that a burst takes on the processor: beyond
	// it the system ran another process, whose time is not ours.
	pollLongest = 4 * pollBurst
)

// poller keeps one core awake while it has nothing else to run.
type poller struct {
	_     [64]byte
	spent atomic.Int64 // real nanoseconds of idleness
	_     [64]byte
}

// run polls until the run is over. It costs nothing that a busy core would
// notice: a yielded goroutine goes to the end of the global queue.
func (p *poller) run(m *Live) {
	from := m.nano()
	for !m.dead.Load() {
		idlePoll(m.pollIterations)
		polled := m.nano()
		runtime.Gosched()
		back := m.nano()
		idle := min(polled-from, int64(pollLongest))
		if back-polled < int64(pollEmpty) {
			idle += back - polled
		}
		p.spent.Add(idle)
		from = back
	}
}

// spread lets any core take over the calling thread, which has just been
// woken. Go queues a woken goroutine on the core that woke it, and relies on
// idle cores to steal from there; a core with a poller is never idle enough to
// steal, and would poll beside a core with all the threads. A thread that
// yields goes to the queue that all cores share.
func (m *Live) spread() {
	if m.cfg.IdlePollers {
		runtime.Gosched()
	}
}

// idlePoll is the idle time of a core with a poller; its name tells a CPU
// profile so.
//
//go:noinline
func idlePoll(n int64) uint64 {
	x := uint64(n)
	for ; n > 0; n-- {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

// polled is the real time that all pollers have idled so far.
func (m *Live) polled() time.Duration {
	sum := int64(0)
	for i := range m.pollers {
		sum += m.pollers[i].spent.Load()
	}
	return time.Duration(sum)
}
