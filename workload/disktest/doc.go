// Package disktest is disktest 1.4.2 of the Linux Test Project: threads that
// read and write blocks of one device, one after the other or at random
// places, raw or through the page cache.
package disktest
