// Package files reads and writes whole files: a file that is read is bounded,
// and one that is written is there as a whole, or as it was before.
package files
