package planted

import (
	"sync"
	"sync/atomic"

	"hostlock/machine"
)

// foreignMutex is a limit that is right, and that no machine sees: in virtual time
// its lock is free.
type foreignMutex struct {
	mu         sync.Mutex
	busy, most int
}

func (l *foreignMutex) locked(f func() bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return f()
}

func (l *foreignMutex) Take(*machine.Thread) bool {
	return l.locked(func() bool {
		if l.busy >= l.most {
			return false
		}
		l.busy++
		return true
	})
}

func (l *foreignMutex) Give(*machine.Thread) { l.locked(func() bool { l.busy--; return true }) }

func (l *foreignMutex) Full(*machine.Thread) bool {
	return l.locked(func() bool { return l.busy >= l.most })
}

func (l *foreignMutex) Alone(*machine.Thread) bool {
	return l.locked(func() bool { return l.busy == 1 })
}

func (l *foreignMutex) Taken(*machine.Thread) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.busy
}

// dummyMutex is the same with an operation for show, so that no verb is without
// one: only its source tells.
type dummyMutex struct {
	foreignMutex
	show machine.Word
}

func newDummyMutex(most int) *dummyMutex {
	l := &dummyMutex{foreignMutex: foreignMutex{most: most}}
	l.show.Init(machine.NewLine("show"), 0)
	return l
}

func (l *dummyMutex) Take(t *machine.Thread) bool {
	l.show.Load(t)
	return l.foreignMutex.Take(t)
}

func (l *dummyMutex) Full(t *machine.Thread) bool {
	_ = l.show.Load(t)
	return l.foreignMutex.Full(t)
}

// foreignAtomic is the same by an atomic of Go's own.
type foreignAtomic struct {
	busy atomic.Int64
	most int64
}

func (l *foreignAtomic) Take(*machine.Thread) bool {
	if l.busy.Add(1) <= l.most {
		return true
	}
	l.busy.Add(-1)
	return false
}

func (l *foreignAtomic) Give(*machine.Thread)       { l.busy.Add(-1) }
func (l *foreignAtomic) Full(*machine.Thread) bool  { return l.busy.Load() >= l.most }
func (l *foreignAtomic) Alone(*machine.Thread) bool { return l.busy.Load() == 1 }
func (l *foreignAtomic) Taken(*machine.Thread) int  { return int(l.busy.Load()) }

// freeList is a limit whose slots are in a list of free ones, taken by a
// compare-and-swap of its head that has no version: the ABA fault.
type freeList struct {
	head machine.Word   // 1 + the first free slot, 0 is none
	next []machine.Word // likewise
	held []machine.Word // slots that are taken, as a stack of what Give gives back
	top  machine.Word
	free machine.Word
}

func newFreeList(slots int) *freeList {
	l := &freeList{next: make([]machine.Word, slots), held: make([]machine.Word, slots)}
	line := machine.NewLine("free_list")
	l.head.Init(line, 1)
	for i := range l.next {
		to := uint64(i + 2)
		if i == slots-1 {
			to = 0
		}
		l.next[i].Init(machine.NewLine("free_next"), to)
		l.held[i].Init(machine.NewLine("free_held"), 0)
	}
	l.top.Init(machine.NewLine("free_top"), 0)
	l.free.Init(machine.NewLine("free_count"), uint64(slots))
	return l
}

func (l *freeList) Take(t *machine.Thread) bool {
	for {
		first := l.head.Load(t)
		if first == 0 {
			return false
		}
		next := l.next[first-1].Load(t)
		if l.head.CAS(t, first, next) { // whoever took first and gave it back meanwhile is not seen
			l.free.Dec(t)
			l.held[(l.top.Add(t, 1)-1)%uint64(len(l.held))].Store(t, first)
			return true
		}
		t.Relax(&l.head)
	}
}

func (l *freeList) Give(t *machine.Thread) {
	slot := l.held[l.top.Dec(t)%uint64(len(l.held))].Load(t)
	l.free.Add(t, 1)
	for {
		first := l.head.Load(t)
		l.next[(slot-1)%uint64(len(l.next))].Store(t, first)
		if l.head.CAS(t, first, slot) {
			return
		}
		t.Relax(&l.head)
	}
}

func (l *freeList) Full(t *machine.Thread) bool { return l.head.Load(t) == 0 }
func (l *freeList) Alone(t *machine.Thread) bool {
	return l.free.Load(t) == uint64(len(l.next))-1
}
func (l *freeList) Taken(t *machine.Thread) int { return len(l.next) - int(l.free.Load(t)) }

// shortCounts is a limit in two counters of 16 bits, of what was taken and what was
// given, compared without regard to their wrap.
type shortCounts struct {
	taken, given machine.Word
	most         uint64
}

func newShortCounts(most int) *shortCounts {
	l := &shortCounts{most: uint64(most)}
	line := machine.NewLine("host_counts")
	l.taken.Init(line, 0)
	l.given.Init(line, 0)
	return l
}

func (l *shortCounts) busy(t *machine.Thread) uint64 {
	given := l.given.Load(t) & 0xffff
	if taken := l.taken.Load(t) & 0xffff; taken > given { // and where it has begun anew?
		return taken - given
	}
	return 0
}

func (l *shortCounts) Take(t *machine.Thread) bool {
	for {
		n := l.taken.Load(t)
		if l.busy(t) >= l.most {
			return false
		}
		if l.taken.CAS(t, n, n+1) {
			return true
		}
		t.Relax(&l.taken)
	}
}

func (l *shortCounts) Give(t *machine.Thread)       { l.given.Add(t, 1) }
func (l *shortCounts) Full(t *machine.Thread) bool  { return l.busy(t) >= l.most }
func (l *shortCounts) Alone(t *machine.Thread) bool { return l.busy(t) == 1 }
func (l *shortCounts) Taken(t *machine.Thread) int  { return int(l.busy(t)) }
