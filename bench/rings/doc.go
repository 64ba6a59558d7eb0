// Package rings has the benchmarks of the lab's ring beside its peers.
package rings
