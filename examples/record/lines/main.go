// Command lines changes eight cache lines that all holders share.
package main

import (
	"math/rand/v2"
	"sync"
	"time"

	"hostlock.example/record/truth"
)

type line struct {
	v uint64
	_ [56]byte
}

var (
	mu    sync.Mutex
	held  truth.Held
	lines [8]line
)

func guarded() {
	mu.Lock()
	defer mu.Unlock()
	held.Time(func() {
		for range 200 { // one pass is shorter than the clock can tell
			for i := range lines {
				lines[i].v++
			}
		}
	})
}

func main() {
	elapsed := truth.Run(2, func(_ int, _ *rand.Rand) {
		guarded()
		truth.Spin(2 * time.Microsecond)
	})
	truth.Print("main.guarded", "the data moves", elapsed, held)
}
