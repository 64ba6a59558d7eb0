package calibrate

import (
	"context"
	"runtime"
	"sync"
	"time"

	"go.uber.org/atomic"
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
