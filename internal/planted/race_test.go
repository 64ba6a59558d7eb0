//go:build race

package planted

// slow says that coroutines are: the race detector proves nothing here, since
// each of their switches orders everything before it.
const slow = true
