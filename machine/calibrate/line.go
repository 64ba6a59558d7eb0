package calibrate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sort"
	"sync"
	"time"

	"go.uber.org/atomic"

	"hostlock/machine"
)

// transfer measures the way of a cache line from one processor to another:
// half of a round trip of one word that two threads write in turn.
func (b *bench) transfer(one, other int) func(context.Context) (float64, error) {
	return func(context.Context) (float64, error) {
		var word padded
		var stop, there atomic.Bool
		var wg sync.WaitGroup
		var ns float64
		wg.Go(func() {
			defer pin(other)()
			there.Store(true)
			for turn := uint64(1); ; turn += 2 {
				if !awaitTurn(&word, turn, &stop) {
					return
				}
				word.Store(turn + 1)
			}
		})
		wg.Go(func() {
			defer pin(one)()
			defer stop.Store(true)
			for !there.Load() {
				runtime.Gosched()
			}
			const trips = 100 // between two looks at the clock
			turn, from, n := uint64(0), time.Now(), 0
			for {
				for range trips {
					word.Store(turn + 1)
					turn += 2
					awaitTurn(&word, turn, &stop)
				}
				n += trips
				if spent := time.Since(from); spent >= b.each {
					ns = float64(spent) / float64(2*n)
					return
				}
			}
		})
		wg.Wait()
		return ns, nil
	}
}

// awaitTurn spins until the word has a value, and reports false when told to
// stop instead.
func awaitTurn(word *padded, turn uint64, stop *atomic.Bool) bool {
	for looks := 1; word.Load() != turn; looks++ {
		if looks%4096 == 0 && stop.Load() {
			return false
		}
	}
	return true
}

// pin binds the calling goroutine to a processor, and returns what undoes it.
// A negative number only gives the goroutine a thread of its own.
func pin(cpu int) (undo func()) {
	runtime.LockOSThread()
	if cpu < 0 {
		return runtime.UnlockOSThread
	}
	restore, err := bind(cpu)
	if err != nil {
		return runtime.UnlockOSThread
	}
	return func() {
		// A thread that stays bound must not be used by others: while it is
		// locked, it ends with its goroutine.
		if restore() == nil {
			runtime.UnlockOSThread()
		}
	}
}

// canPin reports whether binding works here.
func canPin(cpu int) bool {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	restore, err := bind(cpu)
	return err == nil && restore() == nil
}

const (
	// holdFor is longer than pauseFor, so that whoever released the lock is
	// back among the waiters before the next release; and pauseFor is long
	// enough that it does not take the lock again itself.
	holdFor  = 3 * time.Microsecond
	pauseFor = 1 * time.Microsecond
	// enough hand-offs make a median; patience is how many repetitions' time
	// to give them, on a computer that others use too.
	enough   = 20
	patience = 20
)

// bareLock is a test-and-set lock without any bookkeeping.
type bareLock struct {
	_     [128]byte
	state atomic.Bool
	_     [128]byte
}

func (l *bareLock) Lock(*machine.Thread) {
	for l.state.Load() || l.state.Swap(true) {
	}
}

func (l *bareLock) Unlock(*machine.Thread) { l.state.Store(false) }

// locker is the two locks that are compared.
type locker interface {
	Lock(*machine.Thread)
	Unlock(*machine.Thread)
}

// handOff measures the time from a release to the next acquisition, by
// another thread, with a number of threads waiting. The cost of one reading of
// the clock is in it. NaN stands for too few of them.
func (b *bench) handOff(waiters int, live bool) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) {
		m, err := machine.NewLive(machine.LiveConfig{Calibration: b.burn})
		if err != nil {
			return 0, err
		}
		var l locker = &bareLock{}
		if live {
			spin := &machine.SpinLock{}
			spin.Init(m, "lock")
			l = spin
		}
		var (
			stop     atomic.Bool
			ready    atomic.Int32
			origin   = time.Now()
			began    time.Duration // from here on protected by the lock
			released time.Duration
			holder   = -1
			times    []float64
		)
		for i := range waiters + 1 {
			m.Go(fmt.Sprint("waiter ", i), i, false, func(t *machine.Thread) {
				cpu := -1
				if len(b.cpus) > i {
					cpu = b.cpus[i]
				}
				defer pin(cpu)()
				for ready.Inc(); int(ready.Load()) <= waiters; {
					t.Yield()
				}
				for !stop.Load() {
					l.Lock(t)
					now := time.Since(origin)
					if holder != i && holder >= 0 {
						times = append(times, float64(now-released))
					}
					if holder < 0 {
						began = now
					}
					holder = i
					if over := now - began; over >= b.each && len(times) >= enough || over >= patience*b.each {
						stop.Store(true)
					}
					t.Work(holdFor)
					released = time.Since(origin)
					l.Unlock(t)
					t.Work(pauseFor)
				}
			})
		}
		if _, err := m.Run(ctx, machine.Course{}); err != nil {
			return 0, err
		}
		if len(times) < enough {
			return math.NaN(), nil
		}
		sort.Float64s(times)
		return quantile(times, 0.5), nil
	}
}
