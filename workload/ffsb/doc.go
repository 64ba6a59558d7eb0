// Package ffsb runs profiles of FFSB, the Flexible File System Benchmark, on
// the dispatch path. Package profile reads them.
//
// # What is FFSB's
//
// Each thread picks an operation by weight, a file system, and a file at
// random, carries the operation out in blocks of the profile's size, and
// sleeps op_delay. Every operation has FFSB's own pattern of system calls,
// offsets and locks, and counts transactions and bytes as FFSB does: see
// read.go, write.go and meta.go. FFSB locks its own lists and files; those
// locks are here too, under the classes ffsb_list and ffsb_file. Where FFSB
// gives up (disk full, no file left, a file that is too small), so does the
// run, and says why.
//
// # What is simulated below it
//
// A file system is a space of 4 KiB blocks on one device, or on several one
// after the other where its files do not fit on one. Files have extents there;
// creating, appending and deleting allocate and free. Each system call that
// reads or writes a block costs processor time, half before its I/O and half
// after it, and one request per extent, split where the device takes no more
// at once. Metadata calls cost processor time only: no journal, inode or
// directory is written. Buffered I/O goes straight to the device, too, unless
// fs.page_cache puts a page cache in between.
//
// The files exist when the run begins. Neither their creation nor the ageing
// of a file system takes simulated time; ageing leaves its allocations behind.
package ffsb
