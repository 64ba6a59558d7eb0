package experiment

import (
	"cmp"
	"slices"

	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/profiles"
)

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
