package experiment

import (
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
	names := []string{"hbas", "scale"}
	spec, err := Load(Builtins()[0])
	if err != nil {
		return names
	}
	p, err := plan(spec, Options{Machine: "sim"})
	if err != nil {
		return names
	}
	for _, v := range p.params.Values() {
		names = append(names, v.Name)
	}
	slices.Sort(names)
	return names
}
