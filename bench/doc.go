// Command bench measures what the seam and the rings cost, each beside a peer,
// in interleaved repetitions, and prints medians and quartiles as markdown:
//
//	go run ./bench            all of it, about three minutes
//	go run ./bench -only seam
//
// The seam's peer is the same path without the seam: the sources of package
// machine are rewritten so that every hook is gone and what is left are plain
// calls of sync/atomic, and everything is built once more on top of them (see
// bare.go). So the path under comparison is the same, line by line, however
// often it changes, and the difference is the seam and nothing else.
//
// All cores are busy meanwhile.
package main
