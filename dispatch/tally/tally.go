// Package tally has the numbers that a run of the mid-layer leaves.
package tally

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Counts are numbers of commands. Issued is the sum of Completed, Failed and
// Lost; Requeued counts ways back into a queue, of which a command may have
// several.
type Counts struct {
	Issued, Completed, Failed, Requeued, Lost int64
	// Duplicates is how often a command was completed that was completed
	// already.
	Duplicates int64
}

// WindowCounts is what happened within the window. Issued counts submissions;
// Lost is always 0, since what is not done at the window's end is done later.
type WindowCounts struct {
	Counts
	Bytes int64 // moved by what completed without error
	// PerIssuer has the completed commands of every issuer that is a thread of
	// the workload, in order of their creation: for fairness. Kernel threads'
	// are not among them, so it may sum up to less than Completed.
	PerIssuer []int64
	// Latency has the time from Submit to completion, in ns, of what completed
	// or failed within the window.
	Latency *hdrhistogram.Histogram
}

// LimitCheck is what the driver's boundary saw of one limit.
type LimitCheck struct {
	What  string // "host 0 can_queue", "target 0:3 can_queue", "device 0:0:3:0 queue_depth"
	Limit int    // 0 is unlimited
	Max   int    // most at a time
	Over  int64  // how many commands came while the limit was reached
}

// DriverCount is one number of a driver under its name.
type DriverCount struct {
	Name  string
	Value int64
}

// FaultCount is how often a fault was injected.
type FaultCount struct {
	Name  string // in words
	Param string // the parameter that asks for it
	Value int64
	// Unanswered says that a command with this fault comes back late or never,
	// so that somebody must look for it.
	Unanswered bool
}

// Depths is what TASK SET FULL did to the devices' queue depths.
type Depths struct {
	Full        int64 // answers of a queue limit, in the window
	Configured  int   // the largest depth that a device began with
	Least, Most int   // of all devices, at the end of the run
}

// SGPool is what one pool of scatter/gather tables did in a run.
type SGPool struct {
	Entries     int
	Taken       int64 // tables handed out
	FromReserve int64 // of them out of the reserve
	Reserve     int64 // left there now
}

// Occupancy is how full hosts and devices were, as means over time.
type Occupancy struct {
	InFlight float64 // commands that hold a slot of their host; on live, that the driver has
	InDriver float64 // of them with the driver, from queuecommand to its completion
	Waiting  float64 // requests in the devices' queues; 0 on live, which does not tell
	HostFull float64 // share of time, 0 to 1, in which a host had no slot left
	WithWork float64 // devices that had anything to do
	Used     int     // devices that had anything to do at any time
	// DeviceFull is the share of that time in which such a device had no slot left.
	DeviceFull float64
}

// Service is what devices did with commands.
type Service struct {
	Commands int64
	Busy     time.Duration // what those needed of a device, waiting apart
	Mean     time.Duration // what a command needs, where Commands is 0: by parameter
	Channels int           // commands that a device works on at a time; 0 is all it gets
	Shared   bool          // the devices of a host share them
}

// Per is the mean time that a command needs of a device.
func (s Service) Per() time.Duration {
	if s.Commands == 0 {
		return s.Mean
	}
	return s.Busy / time.Duration(s.Commands)
}
