//go:build !race

package machine

// DefaultSpinLimit is how often a waiter looks at a lock before it lets other
// goroutines run. It is a guard against a holder that is not running, and not
// part of the lock: 3,000,000 looks are about 2 ms, far above any hold, so it
// acts a few times a second at most. A limit near the hold time (16,000 looks)
// yields tens of thousands of times a second and turns spinning into
// switching.
const DefaultSpinLimit = 3_000_000
