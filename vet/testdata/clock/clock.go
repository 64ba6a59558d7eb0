package clock

import (
	"math/rand/v2"
	"time"

	"hostlock/machine"
	"hostlock/strategies"
	"hostlock/vet/testdata/helper"
)

type limit struct {
	strategies.Counter
	by  map[int]int
	rng *rand.Rand
}

func newLimit() *limit { return &limit{rng: rand.New(rand.NewPCG(uint64(time.Now().Unix()), 0))} }

func (l *limit) Take(t *machine.Thread) bool {
	began := time.Now()                     // want `limit.Take: time.Now is not the machine's; use Thread.Now`
	time.Sleep(time.Microsecond)            // want `time.Sleep .* Thread.Sleep`
	_ = time.Since(began) > time.Nanosecond // want `time.Since`
	if rand.IntN(2) == 0 {                  // want `limit.Take: rand.IntN is not the machine's; use Thread.Rand`
		return false
	}
	return t.Rand().IntN(2) == 0 && helper.Stamp() > 0 // want `helper.Stamp uses time.Now`
}

func (l *limit) Full(t *machine.Thread) bool {
	t.Sleep(time.Duration(l.rng.IntN(3)))
	for k := range l.by { // want `limit.Full: the order of a loop over a map`
		return k > 0
	}
	return false
}
