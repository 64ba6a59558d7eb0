package sweep

import (
	"time"

	"hostlock/experiment"
)

// A point of a sweep costs this computer about the same whatever its cores:
// what is simulated in a second grows with them. A point of 256 cores still
// sees some thousand commands.
const (
	coreSeconds     = 8.0
	warmCoreSeconds = 2.0

	minDuration = 50 * time.Millisecond
	minWarmup   = 20 * time.Millisecond // several round trips of a device of some ms

	// ownDuration stands for that of an experiment that leaves it to its
	// workload's file, which mostly says a minute.
	ownDuration = 2 * time.Second
)

// Budget is how long a point with so many cores measures and warms up, in
// virtual time, where nothing else is asked for: 8 core-seconds after 2, at
// least 50 ms after 20 ms, and never more than the experiment's own.
func Budget(spec *experiment.Spec, cores int) (measure, warmup time.Duration) {
	own := spec.Duration
	if own == 0 {
		own = ownDuration
	}
	per := func(total float64, least, most time.Duration) time.Duration {
		// Whole microseconds: a duration is printed.
		d := time.Duration(total / float64(cores) * float64(time.Second)).Truncate(time.Microsecond)
		return min(max(d, least), most)
	}
	return per(coreSeconds, minDuration, own), per(warmCoreSeconds, minWarmup, spec.Warmup)
}
