// Command bimodal holds the lock for 2 us, and one time in fifty for 200 us.
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

func guarded(d time.Duration) {
	mu.Lock()
	defer mu.Unlock()
	held.Time(func() { truth.Spin(d) })
}

func main() {
	elapsed := truth.Run(2, func(_ int, r *rand.Rand) {
		d := 2 * time.Microsecond
		if r.IntN(50) == 0 {
			d = 200 * time.Microsecond
		}
		guarded(d)
		truth.Spin(5 * time.Microsecond)
	})
	truth.Print("main.guarded", "holds are uneven", elapsed, held)
}
