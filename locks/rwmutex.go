package locks

import (
	"sync"

	"hostlock/machine"
)

var rwmutexInfo = Info{
	Name:   "rwmutex",
	About:  "Go's sync.RWMutex: readers count themselves on one line; a writer that waits stops new ones",
	Origin: "Go 1.0 and later, the rules as its comments tell them; the real one on the live machine",
	Sleeps: true,
	New: func(e Env) Lock {
		if e.Machine.Name() == "live" {
			return new(realRWMutex)
		}
		l := new(RWMutex)
		line := machine.NewLine(e.Class) // all 24 bytes share one
		l.readers.Init(line, 0)
		l.leaving.Init(line, 0)
		l.writers = newMutex(e)
		l.writerSema.init(e)
		l.readerSema.init(e)
		return l
	},
}

// realRWMutex is Go's own.
type realRWMutex struct {
	mu sync.RWMutex
	_  [40]byte // the next one has a line of its own
}

func (l *realRWMutex) Lock(*machine.Thread)    { l.mu.Lock() }
func (l *realRWMutex) Unlock(*machine.Thread)  { l.mu.Unlock() }
func (l *realRWMutex) RLock(*machine.Thread)   { l.mu.RLock() }
func (l *realRWMutex) RUnlock(*machine.Thread) { l.mu.RUnlock() }

// pending is what a writer takes off the count of readers while it has the lock
// or waits for it: below zero, new readers sleep.
const pending = 1 << 30

// RWMutex behaves as Go's sync.RWMutex.
type RWMutex struct {
	readers machine.Word // those who have the lock or wait, less pending
	leaving machine.Word // those whom a waiting writer still waits for
	writers *Mutex
	writerSema,
	readerSema sema
}

// RLock takes the lock for reading.
func (l *RWMutex) RLock(t *machine.Thread) {
	if int64(l.readers.Add(t, 1)) < 0 {
		l.readerSema.acquire(t, false)
	}
}

// RUnlock ends a reader's use; the last one before a writer lets that in.
func (l *RWMutex) RUnlock(t *machine.Thread) {
	if int64(l.readers.Dec(t)) < 0 && l.leaving.Dec(t) == 0 {
		l.writerSema.release(t, false)
	}
}

// Lock takes the lock for writing.
func (l *RWMutex) Lock(t *machine.Thread) {
	l.writers.Lock(t)
	stop := uint64(pending)
	before := l.readers.Add(t, -stop) + pending
	if before != 0 && l.leaving.Add(t, before) != 0 {
		l.writerSema.acquire(t, false)
	}
}

// Unlock ends a writer's use and lets all readers in that came meanwhile.
func (l *RWMutex) Unlock(t *machine.Thread) {
	for range l.readers.Add(t, pending) {
		l.readerSema.release(t, false)
	}
	l.writers.Unlock(t)
}
