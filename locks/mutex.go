package locks

import (
	"sync"
	"time"

	"hostlock/machine"
)

var mutexInfo = Info{
	Name:   "mutex",
	About:  "Go's sync.Mutex: spins a little, sleeps, is barged past, and is handed over after 1 ms of waiting",
	Origin: "Go 1.9 and later, the rules as its comments and its runtime's tell them; the real one on the live machine",
	Sleeps: true,
	New: func(e Env) Lock {
		if e.Machine.Name() == "live" {
			return new(realMutex)
		}
		return newMutex(e)
	},
}

// realMutex is Go's own.
type realMutex struct {
	mu sync.Mutex
	_  [56]byte // the next one has a line of its own
}

func (l *realMutex) Lock(*machine.Thread)   { l.mu.Lock() }
func (l *realMutex) Unlock(*machine.Thread) { l.mu.Unlock() }

// The mutex's word: three flags, and the number of those who sleep or are about to.
const (
	mutexLocked   = 1 << iota
	mutexWoken    // somebody is awake and tries: a release need wake nobody
	mutexStarving // a release hands over to the sleeper that is first
	mutexWaiter   // one of them
)

const (
	// spinRounds and spinTurns are how often, and how long each time, a waiter
	// spins before it sleeps: the runtime's active_spin and active_spin_cnt.
	spinRounds = 4
	spinTurns  = 30
	// starvesAfter is how long a sleeper waits until it has the lock handed over.
	starvesAfter = time.Millisecond
)

// Mutex behaves as Go's sync.Mutex.
type Mutex struct {
	state machine.Word
	sema  sema
}

func newMutex(e Env) *Mutex {
	l := new(Mutex)
	l.state.Init(machine.NewLine(e.Class), 0)
	l.sema.init(e)
	return l
}

// Lock takes the lock.
func (l *Mutex) Lock(t *machine.Thread) {
	if !l.state.CAS(t, 0, mutexLocked) {
		l.lockSlow(t)
	}
}

func (l *Mutex) lockSlow(t *machine.Thread) {
	var (
		since           time.Duration
		slept, starving bool
		awake           bool // this waiter has set mutexWoken, or was woken with it
		rounds          int
	)
	old := l.state.Load(t)
	for {
		if old&(mutexLocked|mutexStarving) == mutexLocked && rounds < spinRounds && t.CanSpin() {
			if !awake && old&mutexWoken == 0 && old >= mutexWaiter && l.state.CAS(t, old, old|mutexWoken) {
				awake = true
			}
			for range spinTurns {
				t.Relax(&l.state)
			}
			rounds++
			old = l.state.Load(t)
			continue
		}
		want := old
		if old&mutexStarving == 0 {
			want |= mutexLocked
		}
		if old&(mutexLocked|mutexStarving) != 0 {
			want += mutexWaiter
		}
		if starving && old&mutexLocked != 0 {
			want |= mutexStarving
		}
		if awake {
			want &^= mutexWoken
		}
		if !l.state.CAS(t, old, want) {
			old = l.state.Load(t)
			continue
		}
		if old&(mutexLocked|mutexStarving) == 0 {
			return
		}
		if !slept {
			since = t.Now()
		}
		l.sema.acquire(t, slept)
		slept = true
		starving = starving || t.Now()-since > starvesAfter
		old = l.state.Load(t)
		if old&mutexStarving != 0 {
			l.inherit(t, old, starving)
			return
		}
		awake, rounds = true, 0
	}
}

// inherit takes the lock that was handed over; the last who starved, or one who
// did not wait long, ends the starving.
func (l *Mutex) inherit(t *machine.Thread, old uint64, starving bool) {
	delta := uint64(mutexLocked)
	delta -= mutexWaiter
	if !starving || old < 2*mutexWaiter {
		delta -= mutexStarving
	}
	l.state.Add(t, delta)
}

// Unlock releases the lock.
func (l *Mutex) Unlock(t *machine.Thread) {
	locked := uint64(mutexLocked)
	if now := l.state.Add(t, -locked); now != 0 {
		l.unlockSlow(t, now)
	}
}

func (l *Mutex) unlockSlow(t *machine.Thread, old uint64) {
	if old&mutexStarving != 0 {
		l.sema.release(t, true)
		return
	}
	for old >= mutexWaiter && old&(mutexLocked|mutexWoken|mutexStarving) == 0 {
		if l.state.CAS(t, old, old-mutexWaiter|mutexWoken) {
			l.sema.release(t, false)
			return
		}
		old = l.state.Load(t)
	}
}
