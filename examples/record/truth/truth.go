// Package truth says what a known program's lock really does, from inside the
// program: every hold is timed by the program itself, so that what a recording
// samples can be held against it.
package truth

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/metrics"
	"sync"
	"time"
)

// Truth is what the program prints at its end, on stdout.
type Truth struct {
	Site           string  `json:"site"` // function of the lock's call
	HoldNs         float64 `json:"hold_ns"`
	UtilizationPct float64 `json:"utilization_pct"` // of the hottest instance, over the run
	Acquisitions   int64   `json:"acquisitions"`
	MutexWaitS     float64 `json:"mutex_wait_s"` // /sync/mutex/wait/total:seconds
	Note           string  `json:"note"`         // words that the recording's note has
}

// Seconds is how long a program runs: short enough for twelve of them, long
// enough for tens of thousands of samples.
const Seconds = 3

// Held is what one lock's holders add up. Its lock guards it.
type Held struct {
	N     int64
	Ns    int64
	Timed int64 // of N, those whose Ns came from two readings of the clock
}

// Time adds a hold: called with the lock held.
func (h *Held) Time(work func()) {
	begun := time.Now()
	work()
	h.Ns += int64(time.Since(begun))
	h.N++
	h.Timed++
}

// Spin works for d.
func Spin(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// Run lets so many goroutines repeat an operation for the program's time, each
// with random numbers of its own.
func Run(goroutines int, op func(id int, r *rand.Rand)) (elapsed time.Duration) {
	var wg sync.WaitGroup
	begun := time.Now()
	for id := range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(1, uint64(id)))
			for time.Since(begun) < Seconds*time.Second {
				op(id, r)
			}
		}()
	}
	wg.Wait()
	return time.Since(begun)
}

// Print ends the program: all holds, and those of the hottest lock.
func Print(site, note string, elapsed time.Duration, hottest Held, all ...Held) {
	t := Truth{Site: site, Note: note, UtilizationPct: 100 * float64(hottest.Ns) / float64(elapsed)}
	// A hold has two readings of the clock in it, and times one.
	clock := time.Hour
	for range 1000 {
		begun := time.Now()
		clock = min(clock, time.Since(begun))
	}
	t.UtilizationPct += 100 * float64(hottest.Timed*int64(clock)) / float64(elapsed)
	var ns int64
	for _, h := range append(all, hottest) {
		t.Acquisitions += h.N
		ns += h.Ns + h.Timed*int64(clock)
	}
	t.HoldNs = float64(ns) / float64(t.Acquisitions)
	sample := []metrics.Sample{{Name: "/sync/mutex/wait/total:seconds"}}
	metrics.Read(sample)
	t.MutexWaitS = sample[0].Value.Float64()
	if err := json.NewEncoder(os.Stdout).Encode(t); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
