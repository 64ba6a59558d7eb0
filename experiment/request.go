package experiment

import (
	"cmp"
	"runtime"
	"slices"
	"time"

	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/profiles"
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

// liveParams are the choices of a run on this computer.
func liveParams() []param.Spec {
	return []param.Spec{
		{Name: "live.derive", Kind: param.Bool, Default: "true",
			About:  "derive the load for this computer's core count, where the experiment's published table has a host-lock share; otherwise the experiment's own values are run as they are",
			Source: "a choice: values of a 64-core machine show next to no contention on a few cores"},
		{Name: "live.idle_pollers", Kind: param.Bool, Default: "true",
			About:  "keep idle cores awake with a goroutine that polls, and leave its time out of every share; off under --kind mutex",
			Source: "measured: Go rounds an idle core's sleep up to whole milliseconds, which makes device completions late in the faster variant alone"},
		{Name: "live.cpu_rate", Kind: param.Int, Default: "100", Min: 1, Max: profiles.MaxRate, Unit: "Hz",
			About:  "samples a second a core of the CPU profile; the system's tick bounds it, often at 250",
			Source: "runtime/pprof's own rate; another makes the runtime print one harmless line"},
	}
}

func placementParam() param.Spec {
	return param.Spec{Name: "sched.placement", Kind: param.Choice, Default: "idle-core", Choices: []string{"idle-core", "own-core"},
		About:  "where a woken thread runs whose own core is busy: on an idle core, of its socket first, or on its own",
		Source: "CFS of the time moves a woken task to an idle core nearby and balances on idle; both were tried"}
}

// Parameters lists, from a to z, everything that --set takes, with defaults:
// the parameters of all drivers, workloads and machines, and the load's own
// names. Where the machines differ in a default, it is the simulated one's.
func Parameters() []param.Spec {
	specs := []param.Spec{
		{Name: "hbas", Kind: param.Int, Default: "1", Max: spec.MaxHBAs, About: "host adapters that the load is spread over; the experiment's own without it", Source: "a choice"},
		{Name: "scale", Kind: param.Float, Default: "1", About: "how many times as large the load is as the experiment's own", Source: "a choice"},
	}
	specs = append(specs,
		param.Spec{Name: CostsSetting, Kind: param.Choice, Default: spec.DefaultCosts, Choices: spec.CostTables(), About: "cost table of the simulated machine, or a file of one", Source: "a choice"},
		param.Spec{Name: LayoutSetting, Kind: param.Choice, Default: spec.OwnLayout, Choices: spec.Layouts(), About: "which fields share a cache line, or a file of it", Source: "a choice"})
	s, err := spec.Load(spec.Builtins()[0])
	if err != nil {
		return specs
	}
	p, err := NewPlan(s, Request{Machine: "sim"})
	if err != nil {
		return specs
	}
	for _, v := range p.params.Values() {
		specs = append(specs, v.Spec)
	}
	slices.SortFunc(specs, func(a, b param.Spec) int { return cmp.Compare(a.Name, b.Name) })
	return specs
}

// What the parts of a run take of memory, in bytes, rounded up: measured as the
// resident size of a process with 65,536 threads, and with 8,192 LUNs under
// ring, the largest of the strategies.
const (
	perThread = 6 << 10
	perLUN    = 40 << 10
	// perSlot is a slot of a device's depth: a cell in each of two rings of twice
	// the depth, as ring has them.
	perSlot = 2 * 2 * 32
	// maxMemory bounds what a run may take before it has begun.
	maxMemory = 2 << 30
)

// tooLarge refuses, before anything is made, a load that would take more memory
// than a run should; nil where it does not.
func (p *Plan) tooLarge() error {
	luns := float64(p.load.HBAs) * float64(p.load.LUNsPerHBA)
	depth := 0.0
	if v, ok := p.Param("host.cmd_per_lun"); ok {
		depth = ownLimit(p.driver.Template, v)
	}
	threads, devices, slots := perThread*float64(max(p.load.Threads, p.workload.Threads())), perLUN*luns, perSlot*luns*max(depth, 0)
	all := threads + devices + slots
	if all <= maxMemory {
		return nil
	}
	what, legal := "threads", int64((maxMemory-min(devices+slots, maxMemory-perThread))/perThread)
	switch max(threads, devices, slots) {
	case devices:
		what, legal = "LUNs in all", int64(maxMemory/2/perLUN)
	case slots:
		what, legal = "host.cmd_per_lun", int64(maxMemory/2/perSlot/luns)
	}
	return spec.Usagef("%d threads, %.0f LUNs and a depth of %.0f would take about %.1f GiB of memory, and a run may take %d; legal: %s up to about %d",
		max(p.load.Threads, p.workload.Threads()), luns, depth, all/(1<<30), maxMemory>>30, what, legal)
}
