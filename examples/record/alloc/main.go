// Command alloc allocates inside the hold, with GOGC=10.
package main

import (
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"hostlock.example/record/truth"
)

var (
	mu    sync.Mutex
	held  truth.Held
	kept  [4096]*[64]*byte
	index int
)

func guarded() {
	mu.Lock()
	defer mu.Unlock()
	held.Time(func() {
		for range 32 {
			index = (index + 1) % len(kept)
			kept[index] = new([64]*byte)
			for i := range kept[index] {
				kept[index][i] = new(byte)
			}
		}
	})
}

func main() {
	debug.SetGCPercent(10)
	elapsed := truth.Run(4, func(_ int, _ *rand.Rand) {
		guarded()
		truth.Spin(5 * time.Microsecond)
	})
	truth.Print("main.guarded", "garbage collector", elapsed, held)
}
