package experiment

import (
	"context"
	"runtime"
	"sync"

	"hostlock/machine"
)

// Each calls do(i) for 0 <= i < n on all of this computer's cores: virtual
// time does not mind company. The first error ends it, and so does a panic, as
// an error. Progress, where not nil, is called with the share of the calls that
// are done, from several goroutines.
func Each(ctx context.Context, n int, progress func(float64), do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		next int
		done int
	)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					cancel(machine.Caught("", 0, v))
				}
			}()
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n || ctx.Err() != nil {
					return
				}
				if err := do(ctx, i); err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				done++
				if progress != nil {
					progress(float64(done) / float64(n))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
