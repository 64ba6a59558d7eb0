//go:build race

package story

// slow says that coroutines are some ten times as slow as they are without the race
// detector, which proves nothing in virtual time.
const slow = true
