package machine

import (
	"runtime"
	"time"
)

const (
	// sampleEvery is how many acquisitions one timed hold stands for: two
	// readings of the clock cost some 80 ns, so a 64th of them about 1 ns.
	sampleEvery = 64
	// spinChunk is how often a waiter looks at the lock before it looks
	// whether the run is over: about 50 us.
	spinChunk = 1 << 16
)

// liveLock is what the live machine counts of one lock. It belongs to the
// lock's holder, and so needs no synchronisation of its own.
type liveLock struct {
	counted   int64 // acquisitions, up to the last timed one
	before    int64 // acquisitions before the window
	contended int64 // acquisitions that found the lock held
	holdFrom  int64 // when the timed hold began, as Live.nano; 0 where it is not timed
	wait      Extremes
	hold      Extremes
}

// lockLive is Lock where the lock was not simply free.
func (l *SpinLock) lockLive(t *Thread) {
	m := t.live
	if l.kind == Mutex {
		l.lockMutex(t)
		return
	}
	if l.state.Load() == sampled && l.state.CompareAndSwap(sampled, held) {
		l.timeHold(m.nano())
		return
	}
	from := m.nano()
	site := t.spinSite(l.line.Class, 2) // lockLive, lockSlow
	if m.labels != nil {
		setLabels(site.labels)
	}
	was, away := l.spin(m)
	waited := m.nano() - from
	l.live.contended++
	l.live.wait.Add(time.Duration(waited))
	if was == sampled {
		l.timeHold(from + waited)
	}
	site.add(waited - away)
	if m.labels != nil {
		setLabels(m.base)
	}
}

// spin waits until the lock is this thread's. It returns the state in which
// it found the lock, and how many nanoseconds other goroutines ran meanwhile.
func (l *SpinLock) spin(m *Live) (was uint32, away int64) {
	for {
		for left := m.spinLimit; left > 0; left -= spinChunk {
			if was = l.spinTAS(min(left, spinChunk)); was != held {
				return was, away
			}
			m.checkAlive()
		}
		from := m.nano()
		runtime.Gosched()
		away += m.nano() - from
		m.yields.Inc()
	}
}

// spinTAS looks at the lock up to limit times and takes it when it is free.
// It returns the state in which it took it, or held. It is a function of its
// own so that a CPU profile charges to it what spinning costs: count every
// sample with spinTAS anywhere in its stack, since the load that is inlined
// here shows as a leaf of its own.
//
//go:noinline
func (l *SpinLock) spinTAS(limit int) uint32 {
	for ; limit > 0; limit-- {
		if was := l.state.Load(); was != held && l.state.CompareAndSwap(was, held) {
			return was
		}
	}
	return held
}

// timeHold starts the clock of a hold, whose release then takes the slow path.
func (l *SpinLock) timeHold(now int64) {
	l.live.holdFrom = now
	l.untilSlow = 1
}

// unlockLive is Unlock where a hold was timed, or the next one is to be.
func (l *SpinLock) unlockLive(t *Thread) {
	if l.kind == Mutex {
		l.unlockMutex(t)
		return
	}
	s := &l.live
	if s.holdFrom == 0 {
		l.untilSlow = 0
		l.state.Store(sampled)
		return
	}
	s.hold.Add(time.Duration(t.live.nano() - s.holdFrom))
	s.holdFrom = 0
	s.counted += sampleEvery
	l.untilSlow = sampleEvery - 1
	l.state.Store(free)
}

// tryLive is TryLock where the lock was not simply free.
//
//go:noinline
func (l *SpinLock) tryLive(t *Thread) bool {
	if l.kind == Mutex {
		if !l.mu.TryLock() {
			return false
		}
		l.mutexTaken(t)
		return true
	}
	if !l.state.CompareAndSwap(sampled, held) {
		return false
	}
	l.timeHold(t.live.nano())
	return true
}

// acquired is how often the lock was taken, exactly; for whoever holds it and
// found it in state was.
func (l *SpinLock) acquired(was uint32) int64 {
	switch {
	case l.kind == Mutex:
		return l.live.counted
	case was == sampled:
		return l.live.counted + sampleEvery - 1
	default:
		return l.live.counted + int64(sampleEvery-1-l.untilSlow)
	}
}

// seize takes the lock for the machine itself, between two holds, and calls
// fn with the number of acquisitions so far. It reports false where the lock
// was held all the time that it tried, a quarter of a second.
func (l *SpinLock) seize(m *Live, fn func(acquired int64)) bool {
	const patience = 250 * time.Millisecond
	for from := m.nano(); m.nano()-from < int64(patience); runtime.Gosched() {
		if l.kind == Mutex {
			if l.mu.TryLock() {
				fn(l.acquired(free))
				l.mu.Unlock()
				return true
			}
			continue
		}
		if was := l.spinTAS(1000); was != held {
			fn(l.acquired(was))
			l.state.Store(was)
			return true
		}
	}
	return false
}

// maxHeld is how many sleeping locks of one thread are remembered, for
// release where the run ends while it holds them.
const maxHeld = 8

// heldLock is a lock that puts its waiters to sleep, in the hands of a thread.
type heldLock struct {
	spin  *SpinLock // of kind Mutex
	rw    *RWMutex
	write bool
}

// hold remembers a lock that the thread has taken.
func (v *liveThread) hold(h heldLock) {
	if v.nheld < maxHeld {
		v.held[v.nheld] = h
	}
	v.nheld++
}

// drop forgets one that it is about to release, usually the last.
func (v *liveThread) drop(h heldLock) {
	top := min(v.nheld, maxHeld)
	v.nheld = max(v.nheld-1, 0)
	for i := top - 1; i >= 0; i-- {
		if v.held[i] == h {
			copy(v.held[i:top], v.held[i+1:top])
			v.held[top-1] = heldLock{}
			return
		}
	}
}

// abandon releases what an unwound thread still holds, so that the threads
// that wait for it wake, see that the run is over, and unwind too.
func (t *Thread) abandon() {
	for v := &t.lv; v.nheld > 0; {
		h := v.held[min(v.nheld, maxHeld)-1]
		switch {
		case h.spin != nil:
			h.spin.unlockMutex(t)
		case h.rw != nil && h.write:
			h.rw.Unlock(t)
		case h.rw != nil:
			h.rw.RUnlock(t)
		default:
			v.nheld = 0
		}
	}
}

// lockMutex is Lock of a lock of kind Mutex, whose word is never free, so that
// every acquisition comes here.
func (l *SpinLock) lockMutex(t *Thread) {
	if !l.mu.TryLock() {
		m := t.live
		from := m.nano()
		site := t.spinSite(l.line.Class, 3) // lockMutex, lockLive, lockSlow
		l.mu.Lock()
		waited := m.nano() - from
		l.live.contended++
		l.live.wait.Add(time.Duration(waited))
		site.addBlocked(waited)
		if m.dead.Load() {
			l.mu.Unlock()
			panic(stopped{})
		}
	}
	l.mutexTaken(t)
}

// mutexTaken does what follows every acquisition of the mutex.
func (l *SpinLock) mutexTaken(t *Thread) {
	t.lv.hold(heldLock{spin: l})
	l.live.counted++
	if l.live.counted%sampleEvery == 0 {
		l.live.holdFrom = t.live.nano()
	}
}

// unlockMutex is Unlock of a lock of kind Mutex.
func (l *SpinLock) unlockMutex(t *Thread) {
	t.lv.drop(heldLock{spin: l})
	if s := &l.live; s.holdFrom != 0 {
		s.hold.Add(time.Duration(t.live.nano() - s.holdFrom))
		s.holdFrom = 0
	}
	// Zero again, or the fast path would release a mutex by its word.
	l.untilSlow = 0
	l.mu.Unlock()
}

// mutexHeld asks the mutex itself: to keep the word in step with it would
// cost each hold two atomic writes.
func (l *SpinLock) mutexHeld() bool {
	if l.mu.TryLock() {
		l.mu.Unlock()
		return false
	}
	return true
}
