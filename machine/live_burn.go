package machine

import (
	"runtime"
	"sort"
	"sync"
	"time"
)

// burnChunk bounds how long burn goes on without looking whether the run has
// been ended, in real time.
const burnChunk = time.Millisecond

// burn spends d of processor time, in the experiment's scale.
func (m *Live) burn(d time.Duration) {
	n := int64(float64(d) * m.burnPerNano)
	for n > m.burnChunk {
		burn(m.burnChunk)
		n -= m.burnChunk
		m.checkAlive()
	}
	burn(n)
}

// burn goes n times round a loop whose every step needs the result of the one
// before: it runs at the latency of one multiplication, which neither a busy
// sibling hyperthread nor the compiler changes much. Its name stands for the
// experiment's own work in a CPU profile.
//
//go:noinline
func burn(n int64) uint64 {
	x := uint64(n)
	for ; n > 0; n-- {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

// Calibrate measures how many iterations of burn take one microsecond of real
// time. It takes about 20 ms, and repeats within some 5 %: measure once, and
// give the same number to all variants of a comparison.
func Calibrate() float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const (
		rounds = 400
		batch  = 40_000 // some 50 us: a thousand times the cost of the clock
	)
	times := make([]time.Duration, rounds)
	for i := range times {
		from := time.Now()
		burn(batch)
		times[i] = time.Since(from)
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	// The fast tenth ran undisturbed; its slowest member is no lucky outlier.
	quick := times[rounds/10]
	return batch / (float64(max(quick, 1)) / 1e3)
}

// processCalibration is measured at most once a process.
var processCalibration = sync.OnceValue(Calibrate)
