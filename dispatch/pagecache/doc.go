// Package pagecache is buffered I/O: pages of a device in memory, read ahead
// of a sequential reader and written back by a thread a device.
//
// Pages belong to a device and not to a file, as those of a block device that
// is opened itself do; a file system on top reads ahead over the ends of its
// files. Left out: mmap, priorities of reclaim (a full cache gives up its
// oldest clean page), and the data itself: only what moves when is modelled.
package pagecache
