//go:build race

package machine

// DefaultSpinLimit is the same 2 ms under the race detector, where a look at
// the lock costs some 40 ns. A hundred spinners that each keep a core for a
// tenth of a second while the holder waits for one would make minutes of a
// second's work.
const DefaultSpinLimit = 50_000
