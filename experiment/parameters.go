package experiment

import (
	"cmp"
	"slices"

	"hostlock/machine/param"
)

// Parameters lists every parameter that a run of the experiment would read,
// with its value. The error is a [UsageError].
func Parameters(spec *Spec, opts Options) ([]param.Value, error) {
	p, err := plan(spec, opts)
	if err != nil {
		return nil, err
	}
	return p.usedParams().Values(), nil
}

// ParameterNames lists, from a to z, everything that --set takes: the parameters
// of all drivers, workloads and machines, and the load's own names.
func ParameterNames() []string {
	var names []string
	for _, s := range ParameterSpecs() {
		names = append(names, s.Name)
	}
	return names
}

// ParameterSpecs is what ParameterNames names, with defaults and what each of
// them is. Where the machines differ in a default, it is the simulated one's.
func ParameterSpecs() []param.Spec {
	specs := []param.Spec{
		{Name: "hbas", Kind: param.Int, Default: "1", Max: maxHBAs, About: "host adapters that the load is spread over; the experiment's own without it", Source: "a choice"},
		{Name: "scale", Kind: param.Float, Default: "1", About: "how many times as large the load is as the experiment's own", Source: "a choice"},
	}
	spec, err := Load(Builtins()[0])
	if err != nil {
		return specs
	}
	p, err := plan(spec, Options{Machine: "sim"})
	if err != nil {
		return specs
	}
	for _, v := range p.params.Values() {
		specs = append(specs, v.Spec)
	}
	slices.SortFunc(specs, func(a, b param.Spec) int { return cmp.Compare(a.Name, b.Name) })
	return specs
}

// MachinesWith lists the machines that have an algorithm of the host lock.
func MachinesWith(kind string) []string {
	var out []string
	for _, m := range []struct {
		name string
		has  param.Spec
	}{{"live", liveLockParam()}, {"sim", simLockParam()}} {
		if slices.Contains(m.has.Choices, kind) {
			out = append(out, m.name)
		}
	}
	return out
}
