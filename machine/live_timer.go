package machine

import (
	"math"
	"time"

	"go.uber.org/atomic"
)

// lateEvery is how many arms of one thread a measured lateness stands for.
const lateEvery = 16

// liveTimer is a Timer on the live machine: a time.Timer whose goroutine runs
// the function, with a thread of the timer's own.
type liveTimer struct {
	m      *Live
	fn     func(*Thread)
	timer  *time.Timer
	thread *Thread
	soft   bool
	core   atomic.Int32
	// fired counts the firings that are due and not done. Whoever raises it
	// from zero runs them all, one after the other, since a thread belongs to
	// one goroutine at a time.
	fired    atomic.Int32
	deadline atomic.Int64 // as Live.nano, of a firing whose lateness is measured; or 0
	late     Extremes     // real time; written by whoever runs the firings
}

// adoptTimer makes tm a timer of this machine.
func (m *Live) adoptTimer(tm *Timer) {
	lt := &tm.live
	lt.m, lt.fn, lt.soft = m, tm.fn, tm.level == Soft
	m.mu.Lock()
	defer m.mu.Unlock()
	lt.thread = m.newThread(tm.name, m.streamName(tm.name), 0)
	lt.timer = time.AfterFunc(math.MaxInt64, lt.fire)
	lt.timer.Stop()
	m.timers = append(m.timers, lt)
}

// arm sets the deadline, d of the experiment's time from now. It allocates
// nothing.
func (lt *liveTimer) arm(t *Thread, d time.Duration) {
	m := lt.m
	if m.dead.Load() {
		return
	}
	if lt.soft {
		lt.core.Store(int32(t.core))
	}
	after := d
	t.lv.arms++
	switch {
	case t.lv.arms%lateEvery == 0:
		lt.deadline.Store(m.nano() + int64(after))
	case lt.deadline.Load() != 0:
		lt.deadline.Store(0)
	}
	lt.timer.Reset(after)
}

// disarm reports whether the timer was armed and now does not fire.
func (lt *liveTimer) disarm() bool { return lt.timer.Stop() }

// fire runs in a goroutine that the Go runtime starts at the deadline.
func (lt *liveTimer) fire() {
	if lt.fired.Inc() > 1 {
		return
	}
	for {
		if lt.m.dead.Load() {
			lt.fired.Store(0)
			return
		}
		if at := lt.deadline.Swap(0); at != 0 {
			lt.late.Add(time.Duration(max(lt.m.nano()-at, 0)))
		}
		lt.thread.core = int(lt.core.Load())
		lt.m.protect(lt.thread, lt.fn)
		if lt.fired.Dec() == 0 {
			return
		}
	}
}
