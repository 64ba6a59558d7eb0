package ffsb

import "hostlock/machine"

// filelist is one of a file system's lists: FFSB has one for data, one for
// metadata operations and one for ageing. Its lock is FFSB's own, and may be
// what a load waits for.
type filelist struct {
	lock  machine.RWMutex
	base  []file    // those that were there at first
	later []*[]file // chunks of later ones, so that no file ever moves
	count int32     // files that ever were, deleted ones included
	live  []int32
	holes []int32 // deleted ones, the last first: FFSB uses their names again
}

const laterChunk = 256

func (l *filelist) init(files int) {
	l.lock.Init("ffsb_list")
	l.base = make([]file, files)
	l.live = make([]int32, files)
	l.count = int32(files)
	for i := range l.live {
		l.live[i] = int32(i)
		l.base[i].pos = int32(i)
	}
}

func (l *filelist) at(i int32) *file {
	if int(i) < len(l.base) {
		return &l.base[i]
	}
	i -= int32(len(l.base))
	return &(*l.later[i/laterChunk])[i%laterChunk]
}

// choose picks a file at random and takes it; nil where there is none left, or
// where giveUp says so between two attempts.
//
//go:noinline
func (l *filelist) choose(t *machine.Thread, write bool, giveUp func() bool) (f *file, none bool) {
	for {
		l.lock.RLock(t)
		if len(l.live) == 0 {
			l.lock.RUnlock(t)
			return nil, true
		}
		f := l.at(l.live[t.Rand().IntN(len(l.live))])
		got := f.try(write)
		l.lock.RUnlock(t)
		if got {
			f.enter(t, write)
			return f, false
		}
		if giveUp() {
			return nil, false
		}
		// The one in the way may wait for this very core.
		t.Yield()
	}
}

// add puts a new file into the list and returns it taken for writing.
//
//go:noinline
func (l *filelist) add(t *machine.Thread) *file {
	l.lock.Lock(t)
	f := l.insert()
	l.lock.Unlock(t)
	f.enter(t, true)
	return f
}

// insert adds a file and tries it for writing; the list's lock is the caller's
// matter. Like FFSB it uses the name of a deleted file again, but not while
// whoever deleted it is still at it: FFSB would wait there.
func (l *filelist) insert() *file {
	var i int32
	n := len(l.holes)
	if n > 0 && l.at(l.holes[n-1]).try(true) {
		i = l.holes[n-1]
		l.holes = l.holes[:n-1]
	} else {
		i = l.count
		l.count++
		if int(i)-len(l.base) == len(l.later)*laterChunk {
			chunk := make([]file, laterChunk)
			l.later = append(l.later, &chunk)
		}
		l.at(i).try(true)
	}
	f := l.at(i)
	f.pos = int32(len(l.live))
	l.live = append(l.live, i)
	return f
}

// remove takes a file that its caller has for writing out of the list.
//
//go:noinline
func (l *filelist) remove(t *machine.Thread, f *file) {
	l.lock.Lock(t)
	l.drop(f)
	l.lock.Unlock(t)
}

// drop removes a file; the list's lock is the caller's matter.
func (l *filelist) drop(f *file) {
	i := l.live[f.pos]
	last := l.live[len(l.live)-1]
	l.live[f.pos] = last
	l.at(last).pos = f.pos
	l.live = l.live[:len(l.live)-1]
	l.holes = append(l.holes, i)
	f.pos = -1
}
