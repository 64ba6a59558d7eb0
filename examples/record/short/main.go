// Command short holds one lock for some 200 ns. Its own clock would be a quarter of that: the work is timed in thousands, before.
package main

import (
	"math/rand/v2"
	"sync"
	"time"

	"hostlock.example/record/truth"
)

var (
	mu   sync.Mutex
	n    int64
	sink uint64
)

//go:noinline
func work() {
	x := sink
	for range 180 {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink = x
}

func guarded() {
	mu.Lock()
	work()
	n++
	mu.Unlock()
}

func main() {
	const rounds, each = 50, 1000
	best := time.Hour
	for range rounds {
		begun := time.Now()
		for range each {
			work()
		}
		best = min(best, time.Since(begun))
	}
	elapsed := truth.Run(1, func(_ int, _ *rand.Rand) {
		guarded()
		truth.Spin(300 * time.Nanosecond)
	})
	truth.Print("main.guarded", "", elapsed, truth.Held{N: n, Ns: n * int64(best) / each})
}
