// Package sgpdd is sgp_dd of sg3_utils, the threaded dd for SCSI devices:
// threads that share one position, each moving bpt blocks at a time.
//
// The survey that made it known, sgpdd-survey, runs several of them side by
// side, each on a region of the device of its own; the parameter
// sgp_dd.regions stands for that, and the threads are divided among them.
package sgpdd
