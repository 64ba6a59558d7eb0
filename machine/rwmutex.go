package machine

import "sync"

// RWMutex is a sleeping reader-writer lock, such as the pthread rwlock that a
// user program has. Waiters give their core up.
type RWMutex struct {
	class string
	mu    sync.RWMutex
	// Slot is the machine's own index of the lock, 0 before its first use.
	Slot int
}

// Init names the lock in reports.
func (l *RWMutex) Init(class string) { l.class = class }

// Class is the name the lock was given.
func (l *RWMutex) Class() string { return l.class }

// Lock takes the lock for writing.
func (l *RWMutex) Lock(t *Thread) {
	if t.hook != nil {
		t.hook.RWLock(l, true)
		if !l.mu.TryLock() {
			panic("machine: " + l.class + " granted to a writer while it is held")
		}
		return
	}
	l.mu.Lock()
	t.lv.hold(heldLock{rw: l, write: true})
	if t.live.dead.Load() {
		panic(stopped{}) // the root of the thread releases the lock
	}
}

// Unlock ends a Lock.
func (l *RWMutex) Unlock(t *Thread) {
	if t.hook != nil {
		t.hook.RWUnlock(l, true)
	} else {
		t.lv.drop(heldLock{rw: l, write: true})
	}
	l.mu.Unlock()
}

// RLock takes the lock for reading.
func (l *RWMutex) RLock(t *Thread) {
	if t.hook != nil {
		t.hook.RWLock(l, false)
		if !l.mu.TryRLock() {
			panic("machine: " + l.class + " granted to a reader while a writer holds it")
		}
		return
	}
	l.mu.RLock()
	t.lv.hold(heldLock{rw: l})
	if t.live.dead.Load() {
		panic(stopped{})
	}
}

// RUnlock ends an RLock.
func (l *RWMutex) RUnlock(t *Thread) {
	if t.hook != nil {
		t.hook.RWUnlock(l, false)
	} else {
		t.lv.drop(heldLock{rw: l})
	}
	l.mu.RUnlock()
}
