package sweep

import (
	"fmt"
	"slices"
	"strings"

	"hostlock/machine/param"
	"hostlock/results"
)

// keyVersion changes when a point of the same definition is run in another
// way, so that figures of both are never mixed.
const keyVersion = "1"

// enumerate lists the points that a definition asks for, in its order: what
// varies least often comes first, and the seeds of one combination last. Only
// what tells them apart is filled in.
func enumerate(d *results.SweepDef) []results.SweepPoint {
	sets := [][]param.Setting{{}}
	for _, a := range d.Axes {
		var next [][]param.Setting
		for _, s := range sets {
			for _, v := range a.Values {
				next = append(next, append(slices.Clone(s), param.Setting{Name: a.Name, Value: v}))
			}
		}
		sets = next
	}
	var out []results.SweepPoint
	for _, set := range sets {
		for _, strategy := range d.Strategies {
			for _, cores := range d.Cores {
				for _, seed := range d.Seeds {
					p := results.SweepPoint{Strategy: strategy, Cores: cores, Set: set, Seed: seed}
					p.Key = keyOf(d, &p)
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// size is how many points a definition asks for, without making them.
func size(d *results.SweepDef) int {
	n := len(d.Strategies) * len(d.Cores) * len(d.Seeds)
	for _, a := range d.Axes {
		if n > maxPoints {
			return n
		}
		n *= len(a.Values)
	}
	return n
}

// keyOf names a point by everything that its figures depend on but the
// program itself. A value counts alike whether it varies or not, so that a
// sweep that is widened finds what it had.
func keyOf(d *results.SweepDef, p *results.SweepPoint) string {
	set := slices.Concat(d.Set, p.Set)
	slices.SortFunc(set, func(a, b param.Setting) int { return strings.Compare(a.Name, b.Name) })
	named := make([]string, len(set))
	for i, v := range set {
		named[i] = "{" + v.Name + " " + v.Value + "}"
	}
	return sum(fmt.Appendf(nil, "%s %q %q %q %q %v %q %q %d %d %g %g %g",
		keyVersion, d.ExperimentSHA256, d.WorkloadSHA256, d.Driver, d.Machine, d.Weak, named,
		p.Strategy, p.Cores, p.Seed, d.Duration, d.Warmup, []float64{coreSeconds, warmCoreSeconds}))[:20]
}

// name says which point it is, for messages.
func name(p *results.SweepPoint) string {
	s := fmt.Sprintf("%s, %s", p.Strategy, results.Count(p.Cores, "core"))
	for _, kv := range p.Set {
		s += ", " + kv.String()
	}
	return s + fmt.Sprintf(", seed %d", p.Seed)
}
