package calibrate

import (
	"context"
	"fmt"
	"math"
	"sort"
	"time"

	"go.uber.org/atomic"

	"hostlock/machine"
)

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
