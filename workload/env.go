package workload

import (
	"fmt"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/param"
)

// Env is where a workload runs.
type Env struct {
	Machine machine.Machine
	System  *dispatch.System
	// Params has the workload's parameters declared, and the run's values; nil
	// is every default.
	Params *param.Set
	// Threads is how many threads there are in all, spread over the file's
	// groups in proportion; 0 is as many as the file says, times Scale.
	Threads int
	// Scale replicates or reduces file systems, files and threads alike: 16
	// file systems of 8 threads are 64 of 8 at scale 4, and 4 of 8 at 0.25.
	// 0 stands for 1.
	Scale float64
	// Devices places the file systems: file system i lies on the device with
	// this index in System.Devices. nil is round robin over all of them.
	Devices []int
}

// Limits of a load. They are far beyond what the model is meant for, and keep
// a slip of the finger from eating all memory.
const (
	MaxThreads = 1 << 20
	MaxScale   = 4096
)

// Complete checks env and fills in what was left out, for the implementors of
// workloads. w is who will run.
func (env Env) Complete(w Workload) (Env, error) {
	if env.Scale == 0 {
		env.Scale = 1
	}
	if !(env.Scale > 0) || env.Scale > MaxScale {
		return env, fmt.Errorf("scale %g of workload %s; legal: more than 0, up to %d", env.Scale, w.Name(), MaxScale)
	}
	if env.Threads < 0 || env.Threads > MaxThreads {
		return env, fmt.Errorf("%d threads for workload %s; legal: 1 to %d, or 0 for the file's own", env.Threads, w.Name(), MaxThreads)
	}
	if env.Params == nil {
		env.Params = param.New()
		env.Params.Declare(w.Params()...)
	}
	return env, nil
}
