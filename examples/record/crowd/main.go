// Command crowd has eight goroutines at one lock that is held for 5 us.
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
	held.Time(func() { truth.Spin(5 * time.Microsecond) })
}

func main() {
	elapsed := truth.Run(8, func(_ int, _ *rand.Rand) {
		guarded()
		truth.Spin(5 * time.Microsecond)
	})
	truth.Print("main.guarded", "", elapsed, held)
}
