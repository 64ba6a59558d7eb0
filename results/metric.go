package results

import (
	"fmt"
	"strings"
)

// Metric is a figure of a result by the name that published rows use:
// "iops", "throughput_mb_s", "host_lock_pct", "contention_pct", "busy_pct", or
// one of the four functions with "_pct" behind it.
func (r *Result) Metric(name string) (float64, bool) {
	switch name {
	case "iops":
		return r.IOPS, true
	case "throughput_mb_s":
		return r.ThroughputMB, true
	case "host_lock_pct":
		return r.CPU.HostLock, true
	case "contention_pct":
		return r.CPU.Contention, true
	case "busy_pct":
		return r.CPU.Busy, true
	}
	if function, ok := strings.CutSuffix(name, "_pct"); ok {
		for _, known := range Functions {
			if function == known {
				v, _ := r.CPU.HostLockByFunction.Get(function) // absent is none of it
				return v, true
			}
		}
	}
	return 0, false
}

// Gain is by how many points of percent r has more of a metric than base.
func (r *Result) Gain(base *Result, metric string) (float64, error) {
	now, ok := r.Metric(metric)
	was, okBase := base.Metric(metric)
	if !ok || !okBase {
		return 0, fmt.Errorf("no figure %q in a result", metric)
	}
	if was == 0 {
		return 0, fmt.Errorf("no gain of %s over a run in which it is 0", metric)
	}
	return 100 * (now/was - 1), nil
}

// The paths that take the host lock in the published profile, in its order and
// the kernel's spelling, and what is none of them.
const (
	DispatchCmd  = "scsi_dispatch_cmd"
	DeviceUnbusy = "scsi_device_unbusy"
	RequestFn    = "scsi_request_fn"
	RunQueue     = "scsi_run_queue"
	Other        = "other"
)

// Functions are the rows of the published profile, in its order.
var Functions = []string{DispatchCmd, DeviceUnbusy, RequestFn, RunQueue}
