package ffsb

import (
	"sync/atomic"

	"hostlock/machine"
)

// file is one file of a list. A million of them should fit, so it is small:
// its lock comes into being when it is first taken.
type file struct {
	layout       // guarded by the file system's mu
	size   int64 // in bytes; guarded by the file system's mu
	lock   atomic.Pointer[machine.RWMutex]
	state  atomic.Int32 // readers that have the file, or -1 for a writer
	pos    int32        // in the list's live files, -1 once deleted; guarded by the list's lock
}

const written = -1

// try takes the file for reading or writing, if nobody is in the way. FFSB
// never waits for a file: it tries, and picks another. So nobody ever waits
// for the lock proper, which is taken after the state: it is there so that a
// machine sees and charges it.
func (f *file) try(write bool) bool {
	for {
		s := f.state.Load()
		next := s + 1
		if write {
			next = written
		}
		if s == written || write && s != 0 {
			return false
		}
		if f.state.CompareAndSwap(s, next) {
			return true
		}
	}
}

// enter follows a successful try.
func (f *file) enter(t *machine.Thread, write bool) {
	if write {
		f.mutex().Lock(t)
	} else {
		f.mutex().RLock(t)
	}
}

// leave ends what try began.
func (f *file) leave(t *machine.Thread, write bool) {
	if write {
		f.mutex().Unlock(t)
		f.state.Store(0)
		return
	}
	f.mutex().RUnlock(t)
	f.state.Add(-1)
}

func (f *file) mutex() *machine.RWMutex {
	if m := f.lock.Load(); m != nil {
		return m
	}
	m := new(machine.RWMutex)
	m.Init("ffsb_file")
	if f.lock.CompareAndSwap(nil, m) {
		return m
	}
	return f.lock.Load()
}
