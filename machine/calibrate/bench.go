package calibrate

import (
	"context"
	"runtime"
	"sync"
	"time"

	"go.uber.org/atomic"

	"hostlock/machine"
)

// bench is what the measurements share.
type bench struct {
	each time.Duration // of one repetition
	burn float64       // iterations per microsecond
	cpus []int         // the processors that we may run on, by the system's numbers
}

// batch is how many cheap operations run between two looks at the clock, so
// that the look adds under a percent.
const batch = 10_000

// perOp repeats batches for the length of a repetition, and returns the mean.
func (b *bench) perOp(ops func(n int)) float64 { return b.perFew(batch, func() { ops(batch) }) }

// perFew is perOp for dearer operations, of which ops does a few.
func (b *bench) perFew(few int, ops func()) float64 {
	from, n := time.Now(), 0
	for {
		ops()
		n += few
		if spent := time.Since(from); spent >= b.each {
			return float64(spent) / float64(n)
		}
	}
}

func (b *bench) clock(context.Context) (float64, error) {
	from := time.Now()
	return b.perOp(func(n int) {
		for range n {
			time.Since(from)
		}
	}), nil
}

func (b *bench) add(context.Context) (float64, error) {
	var w padded
	return b.perOp(func(n int) {
		for range n {
			w.Inc()
		}
	}), nil
}

// padded has a cache line to itself, with the neighbour that a prefetcher
// would fetch along.
type padded struct {
	_ [128]byte
	atomic.Uint64
	_ [128]byte
}

// lock measures the live machine's lock, on one thread of it.
func (b *bench) lock(kind machine.Kind) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) {
		m, err := machine.NewLive(machine.LiveConfig{Calibration: b.burn, LockKinds: map[string]machine.Kind{"lock": kind}})
		if err != nil {
			return 0, err
		}
		var l machine.SpinLock
		l.Init(m, "lock")
		ns := 0.0
		m.Go("lock", 0, false, func(t *machine.Thread) {
			ns = b.perOp(func(n int) {
				for range n {
					l.Lock(t)
					l.Unlock(t)
				}
			})
		})
		_, err = m.Run(ctx, machine.Course{})
		return ns, err
	}
}

// contendedAdd is wall time per add with all cores on one line: the line's
// occupancy, though one core may keep the line for a burst.
func (b *bench) contendedAdd(context.Context) (float64, error) {
	var w padded
	var stop, ready atomic.Bool
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) - 1 {
		wg.Go(func() {
			for !stop.Load() {
				for range 100 {
					w.Inc()
				}
				ready.Store(true)
			}
		})
	}
	for runtime.GOMAXPROCS(0) > 1 && !ready.Load() {
		runtime.Gosched()
	}
	before, from := w.Load(), time.Now()
	for time.Since(from) < b.each {
		for range 100 {
			w.Inc()
		}
	}
	spent, n := time.Since(from), w.Load()-before
	stop.Store(true)
	wg.Wait()
	return float64(spent) / float64(n), nil
}
