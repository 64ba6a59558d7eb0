package lab

import (
	"slices"
	"strings"

	"hostlock/designs"
	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/locks"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/workload"
)

// entry is one line of a list.
type entry struct {
	Name    string `json:"name"`
	Default string `json:"default,omitempty"` // of a parameter
	Unit    string `json:"unit,omitempty"`    // likewise, of its value
	About   string `json:"about"`
}

// kinds are the lists that there are, by what they list, in the order of the
// help.
var kinds = []struct {
	name string
	list func() ([]entry, error)
}{
	{"strategies", listStrategies},
	{"workloads", listWorkloads},
	{"drivers", listDrivers},
	{"experiments", listExperiments},
	{"locks", listLocks},
	{"designs", listDesigns},
	{"costs", listCosts},
	{"layouts", listLayouts},
	{parametersKind, listParameters},
}

// parametersKind is the one list that may be filtered, being the longest.
const parametersKind = "parameters"

func kindNames() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

func listStrategies() ([]entry, error) {
	var out []entry
	for _, s := range dispatch.Strategies() {
		out = append(out, entry{Name: s.Name, About: s.About})
	}
	return out, nil
}

func listDrivers() ([]entry, error) {
	var out []entry
	for _, d := range dispatch.Drivers() {
		out = append(out, entry{Name: d.Name, About: d.About})
	}
	return out, nil
}

func listWorkloads() ([]entry, error) {
	var out []entry
	for _, w := range workload.Builtins() {
		out = append(out, entry{Name: w.Name, About: w.About})
	}
	return out, nil
}

func listExperiments() ([]entry, error) {
	var out []entry
	for _, name := range spec.Builtins() {
		s, err := spec.Load(name)
		if err != nil {
			return nil, err
		}
		out = append(out, entry{Name: s.Name, About: s.Title})
	}
	return out, nil
}

func listLocks() ([]entry, error) {
	var out []entry
	for _, name := range machine.Kinds() {
		k, err := machine.ParseKind(name)
		if err != nil {
			return nil, err
		}
		out = append(out, entry{Name: name, About: "machine " + strings.Join(experiment.MachinesWith(name), " or ") + ": " + k.About()})
	}
	for _, k := range locks.Kinds() {
		if !slices.Contains(machine.Kinds(), k.Name) {
			out = append(out, entry{Name: k.Name, About: "lab lock: " + k.About})
		}
	}
	return out, nil
}

func listDesigns() ([]entry, error) {
	var out []entry
	for _, d := range designs.All() {
		about := d.About
		if d.Gives != "" {
			about += "; " + d.Gives
		}
		out = append(out, entry{Name: d.Name, About: about})
	}
	return out, nil
}

// unitOf is what a parameter's value is given in.
func unitOf(p param.Spec) string {
	switch {
	case p.Unit != "":
		return p.Unit
	case p.Kind == param.Duration:
		return "time"
	case p.Kind == param.Bytes:
		return "bytes"
	case p.Kind == param.Bool:
		return "true or false"
	case p.Kind == param.Choice:
		return "choice"
	}
	return "number"
}

func listParameters() ([]entry, error) {
	var out []entry
	for _, p := range experiment.Parameters() {
		out = append(out, entry{Name: p.Name, Default: p.Default, Unit: unitOf(p), About: p.About + legalRange(p)})
	}
	return out, nil
}

// names lists what one of the kinds has, for completion and error texts.
func names(kind string) []string {
	for _, k := range kinds {
		if k.name != kind {
			continue
		}
		list, err := k.list()
		if err != nil {
			return nil
		}
		out := make([]string, len(list))
		for i, e := range list {
			out[i] = e.Name
		}
		return out
	}
	return nil
}

// strategyName is a strategy's own spelling of a name given in any.
func strategyName(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	s, err := dispatch.LookupStrategy(name)
	return s.Name, usage(err)
}

// driverName is the same of a driver.
func driverName(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	d, err := dispatch.LookupDriver(name)
	return d.Name, usage(err)
}

func legal(names []string) string { return strings.Join(names, ", ") }
