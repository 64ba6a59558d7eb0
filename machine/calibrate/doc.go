// Package calibrate measures what this computer's basic operations cost: the
// figures of a cost table, each as the median of interleaved repetitions with
// its quartiles, and with a remark on how steady it was.
package calibrate
