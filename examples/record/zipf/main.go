// Command zipf has 10,000 locks at one call, of which few are hot.
package main

import (
	"math/rand/v2"
	"sync"
	"time"

	"hostlock.example/record/truth"
)

type instance struct {
	mu   sync.Mutex
	held truth.Held
	_    [40]byte
}

var instances [10000]instance

func guarded(i uint64) {
	in := &instances[i]
	in.mu.Lock()
	defer in.mu.Unlock()
	in.held.Time(func() { truth.Spin(2 * time.Microsecond) })
}

func main() {
	var choose [2]*rand.Zipf
	for id := range choose {
		choose[id] = rand.NewZipf(rand.New(rand.NewPCG(2, uint64(id))), 1.2, 1, uint64(len(instances)-1))
	}
	elapsed := truth.Run(len(choose), func(id int, _ *rand.Rand) {
		guarded(choose[id].Uint64())
		truth.Spin(2 * time.Microsecond)
	})
	var all []truth.Held
	for i := range instances[1:] {
		all = append(all, instances[1+i].held)
	}
	truth.Print("main.guarded", "the load is skewed", elapsed, instances[0].held, all...)
}
