// Package workload is who issues I/O: threads, the files that they work on,
// and the operations that they carry out. It holds what the kinds of workload
// have in common; each kind is a package of its own that registers its file
// format here, as drivers of database/sql do, and is there once it has been
// imported.
//
// A workload drives the dispatch path through package dispatch alone. It knows
// no strategy, no driver and no cost of either.
package workload
