// Command poisson has arrivals at exponential times: some meet a holder although the lock is mostly free.
package main

import (
	"math/rand/v2"
	"sync"
	"time"

	"hostlock.example/record/truth"
)

var (
	mu   sync.Mutex
	held truth.Held
)

func guarded() {
	mu.Lock()
	defer mu.Unlock()
	held.Time(func() { truth.Spin(20 * time.Microsecond) })
}

func main() {
	elapsed := truth.Run(2, func(_ int, r *rand.Rand) {
		truth.Spin(time.Duration(r.ExpFloat64() * float64(100*time.Microsecond)))
		guarded()
	})
	truth.Print("main.guarded", "at random", elapsed, held)
}
