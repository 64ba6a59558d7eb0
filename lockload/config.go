package lockload

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"hostlock/designs"
	"hostlock/locks"
	"hostlock/machine/sim"
)

// Times is a random time, such as machine.Dist.
type Times interface {
	Draw(*rand.Rand) time.Duration
	Avg() time.Duration
}

// Load is what the threads do, whatever guards the section.
type Load struct {
	Hold, Think Times
	ReadHold    Times   // of reads; nil is Hold
	Threads     int     // 0 is one a core
	Rate        float64 // operations a second that arrive, over all threads; 0 is a closed loop
	Read        float64 // share of operations that only read, 0 to 1
	Keys        int
	Zipf        float64 // exponent by which keys are chosen; 0 is uniformly, else above 1
	Hot         float64 // share of operations on key 0, before others are chosen
	Lines       int     // that a hold touches
}

// Config is one run.
type Config struct {
	Load
	Design designs.Info
	Kind   locks.Info
	Parts  int // shards, or writes a batch; 0 is the design's own choice

	Live    bool
	Cores   int
	Sockets int // in virtual time
	// CoresPerSocket is what Sockets follows from where it is 0; 0 is the usual.
	CoresPerSocket int
	Costs          sim.Costs
	Go             sim.GoCosts
	Seed           uint64
	// Warmup and Duration are the window; 0 is as long as 20,000 operations may
	// take in virtual time, and 50 and 200 ms on the live machine.
	Warmup, Duration time.Duration
}

const (
	// enough is how many operations a window in virtual time is made for: the
	// median of some hundred blocks of it scatters by less than a percent.
	enough = 20000
	// floor is what an operation takes at least, for that estimate: an atomic add.
	floor = 10 * time.Nanosecond
	// handOff is a guess of it, for the same estimate: a line from the same socket.
	handOff = 50 * time.Nanosecond

	shortest  = time.Millisecond
	longest   = 4 * time.Second
	asSleeper = 40 * time.Millisecond // Go's mutex changes its ways after 1 ms, and its slice is 10

	liveWarmup, liveWindow = 50 * time.Millisecond, 200 * time.Millisecond
)

// Errors that say what is wrong with a Config.
var (
	ErrThreads = errors.New("threads")
	ErrQueue   = errors.New("a fair lock of more goroutines than cores")
)

// coresASocket is how many cores a socket has where nobody says: the default cost
// table's machine has four of 16.
const coresASocket = 16

// Check says what is wrong with a run that cannot be made.
func (c Config) Check() error { return c.complete() }

// complete fills in what was left out, and refuses what cannot run.
func (c *Config) complete() error {
	if c.Threads == 0 {
		c.Threads = c.Cores
	}
	if c.Threads < 1 {
		return fmt.Errorf("%w %d; legal: 1 or more", ErrThreads, c.Threads)
	}
	if c.Live && c.Kind.FIFO && c.Threads > c.Cores && c.Design.Kinds {
		return fmt.Errorf("%w: lock %s collapses as soon as one that waits is not running; legal on live: up to %d threads", ErrQueue, c.Kind.Name, c.Cores)
	}
	if c.Sockets == 0 {
		per := cmp.Or(c.CoresPerSocket, coresASocket)
		c.Sockets = (c.Cores + per - 1) / per
	}
	c.Keys = max(c.Keys, 1)
	if c.Live {
		if c.Duration == 0 {
			c.Duration = liveWindow
		}
		if c.Warmup == 0 {
			c.Warmup = liveWarmup
		}
		return nil
	}
	if c.Duration == 0 {
		c.Duration = c.window()
	}
	if c.Warmup == 0 {
		c.Warmup = c.Duration / 4
	}
	return nil
}

// window is how long enough operations take, by the two bounds.
func (c *Config) window() time.Duration {
	hold, think := c.Hold.Avg(), c.Think.Avg()
	each := max((hold+think+floor)/time.Duration(min(c.Threads, c.Cores)), floor)
	if c.Design.Name == "one" {
		each = max(each, hold+handOff)
	}
	if c.Rate > 0 {
		each = max(each, time.Duration(1e9/c.Rate))
	}
	d := max(enough*each, shortest)
	if c.sleeps() {
		d = max(d, asSleeper)
	}
	return min(d, longest)
}

func (c *Config) sleeps() bool {
	return c.Design.Kinds && c.Kind.Sleeps || c.Design.Name == "owner" || c.Design.Name == "readers"
}
