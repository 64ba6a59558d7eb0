//go:build !race

package ffsb

const (
	raced  = false
	slower = 1 // what simulated time is divided by
)
