package mpmc

// NewAt is newAt for the tests of this package's users' view.
var NewAt = newAt

// Starts are positions just below where something has no more room: a cell's
// half of a position, its sign, the position itself, its sign, and the position
// that New begins with and 0.
var Starts = []uint64{1<<32 - 3, 1<<31 - 3, 1<<64 - 3, 1<<63 - 3, origin, 0}
