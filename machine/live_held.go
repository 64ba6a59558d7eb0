package machine

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
