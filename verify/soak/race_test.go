//go:build race

package soak_test

// raceEnabled: a coroutine switch costs several times as much under the race
// detector, and proves nothing there, since it orders everything.
const raceEnabled = true
