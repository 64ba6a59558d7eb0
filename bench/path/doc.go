// Package path has the benchmarks of a command's way through each strategy,
// which command bench builds twice: with the seam and without it.
package path
