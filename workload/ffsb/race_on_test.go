//go:build race

package ffsb

// raced says that the race detector is on. It slows coroutines down a
// hundredfold and learns nothing from them: each switch is an order. Long
// simulated runs are left to the build without it.
const (
	raced  = true
	slower = 20 // what simulated time is divided by
)
