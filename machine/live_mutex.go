package machine

import "time"

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
