// Package helper is what a strategy of somebody's may call.
package helper

import (
	"sync"
	"time"
)

var mu sync.Mutex

// Locked comes to a mutex by way of another function.
func Locked(f func()) { within(f) }

func within(f func()) {
	mu.Lock()
	defer mu.Unlock()
	f()
}

// Stamp reads the clock.
func Stamp() int64 { return time.Now().UnixNano() }

// Twice is what anybody may call.
func Twice(n int) int { return 2 * n }
