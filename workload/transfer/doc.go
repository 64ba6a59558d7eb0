// Package transfer is what sgp_dd, disktest and dd have in common: threads
// that move whole blocks between memory and devices, one after the other,
// straight through the block layer or through the page cache. What moves
// where is each tool's own.
package transfer
