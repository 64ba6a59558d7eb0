// Package dd is GNU dd: one thread that copies blocks one after the other,
// through the page cache unless it is told to do without (iflag=direct,
// oflag=direct).
package dd
