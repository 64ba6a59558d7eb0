// Command nested takes a second lock inside, which others hold.
package main

import (
	"math/rand/v2"
	"sync"
	"time"

	"hostlock.example/record/truth"
)

var (
	outer, inner sync.Mutex
	held         truth.Held
)

func guarded() {
	outer.Lock()
	defer outer.Unlock()
	held.Time(func() { within(50 * time.Microsecond) })
}

func within(d time.Duration) {
	inner.Lock()
	truth.Spin(d)
	inner.Unlock()
}

func main() {
	elapsed := truth.Run(2, func(id int, _ *rand.Rand) {
		if id == 0 {
			guarded()
			truth.Spin(20 * time.Microsecond)
			return
		}
		within(200 * time.Microsecond)
		time.Sleep(50 * time.Microsecond)
	})
	truth.Print("main.guarded", "a nested lock", elapsed, held)
}
