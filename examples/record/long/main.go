// Command long holds one lock for 100 us, and two goroutines do little else.
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
	held.Time(func() { truth.Spin(100 * time.Microsecond) })
}

func main() {
	elapsed := truth.Run(2, func(_ int, _ *rand.Rand) {
		guarded()
		truth.Spin(20 * time.Microsecond)
	})
	truth.Print("main.guarded", "", elapsed, held)
}
