package experiment

import "time"

// Options are what the command line says against an experiment's file. The
// zero value changes nothing.
type Options struct {
	Strategy string
	Workload string // a name or a file
	Driver   string
	Machine  string // live or sim; "" is the experiment's own
	Cores    int    // 0: the experiment's own on sim, this computer's on live
	Threads  int    // 0: the experiment's own
	Duration time.Duration
	// ProfileDuration takes the run's length from the workload file.
	ProfileDuration bool
	Seed            uint64
	SeedSet         bool // Seed was given; 0 is a legal seed
	// Weak lets the load grow with the cores: scale = cores over the
	// experiment's own.
	Weak bool
	// Kind is the algorithm of the host lock; "" is the machine's own.
	Kind string
	// Calibration is the live machine's iterations of the work loop per
	// microsecond; 0 is measured once a process. All runs of a comparison share
	// one.
	Calibration float64
	// Costs are costs of the simulated machine, in place of its defaults.
	Costs []Parameter
	// Derivation is where the load of a few cores comes from; on the
	// live machine nil derives it.
	Derivation *Derivation
	Set        []string // "name=value", in the order given; later ones win
	// ProfilesDir is where profiles go; "" writes none.
	ProfilesDir string
	// Progress, where not nil, is called with the share of the run that is
	// over, 0 to 1.
	Progress func(done float64)
}
