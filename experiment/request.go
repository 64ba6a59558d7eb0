package experiment

import (
	"runtime"
	"time"

	"hostlock/experiment/spec"
	"hostlock/machine/param"
)

// Request is what is asked for against an experiment's file. The zero value
// changes nothing.
type Request struct {
	Strategy string
	Workload string // a name or a file
	Driver   string
	Machine  string // live or sim
	Cores    int    // 0: the experiment's own on sim, this computer's on live
	Threads  int    // 0: the experiment's own
	Duration time.Duration
	Warmup   time.Duration // 0: the experiment's own
	// ProfileDuration takes the run's length from the workload file.
	ProfileDuration bool
	Seed            Seed
	// Weak lets the load grow with the cores: scale = cores over the
	// experiment's own.
	Weak bool
	// Kind is the algorithm of the host lock; "" is the machine's own.
	Kind string
	// Costs are costs of the simulated machine, in place of its defaults.
	Costs []param.Setting
	// Derived is a load that was worked out for a few cores; nil leaves the
	// experiment's own.
	Derived *Derived
	Set     []param.Setting // in the order given; later ones win
}

// Seed is a seed that may be left to the experiment: 0 is a legal one.
type Seed struct {
	N     uint64
	Given bool
}

// SeedOf is a seed that is given.
func SeedOf(n uint64) Seed { return Seed{n, true} }

// Derived is what a derivation hands to the run that it was made for.
type Derived struct {
	Settings []param.Setting
	Scale    float64  // work of an I/O over that at the published rate on as many cores
	Lines    []string // where the load comes from
}

// validate finds what is wrong with a request by itself: values out of range,
// and ones that contradict each other.
func (r *Request) validate(s *spec.Spec) error {
	flag := func(name string) param.Place { return param.Place{Flag: "--" + name} }
	scale, _, err := spec.LoadSettings(r.Set)
	have := runtime.GOMAXPROCS(0)
	switch machine := r.machine(s); {
	case machine != "live" && machine != "sim":
		return spec.Usagef("unknown machine %q; legal: live, sim", machine)
	case machine == "live" && len(r.Costs) > 0:
		return spec.ErrorAt(flag("costs"), "costs", "on machine live, whose costs are this computer's own; legal: --machine sim")
	case machine == "live" && r.Cores != 0 && r.Cores != have:
		return spec.ErrorAt(flag("cores"), "cores", "%d on machine live, which has the %d of this computer; legal: --cores %d, or --machine sim", r.Cores, have, have)
	case r.Cores < 0 || r.Cores > spec.MaxCores:
		return spec.ErrorAt(flag("cores"), "cores", "%d: out of range; legal: 1 to %d", r.Cores, spec.MaxCores)
	case r.Threads < 0 || r.Threads > spec.MaxThreads:
		return spec.ErrorAt(flag("threads"), "threads", "%d: out of range; legal: 1 to %d", r.Threads, spec.MaxThreads)
	case r.Duration < 0 || r.Duration > spec.MaxDuration:
		return spec.ErrorAt(flag("duration"), "duration", "%v: out of range; legal: more than 0, up to %gh", r.Duration, spec.MaxDuration.Hours())
	case r.ProfileDuration && r.Duration > 0:
		return spec.ErrorAt(flag("duration"), "duration", "is given both as a time and as profile; legal: one of them")
	case err == nil && r.Weak && scale > 0:
		return spec.ErrorAt(flag("weak"), "scale", "and --set scale= both set the scale; legal: one of them")
	}
	return err
}

func (r *Request) machine(s *spec.Spec) string {
	if r.Machine != "" {
		return r.Machine
	}
	return s.Machine
}
