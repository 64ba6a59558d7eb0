package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hostlock/dispatch"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/workload"
)

// values sets the parameters: what the program declares, what the experiment
// says, what the command line says, the later over the earlier.
func (p *Plan) values() error {
	p.declare()
	given := slices.Concat(p.spec.Parameters, p.req.Costs, p.costs)
	if d := p.req.Derived; d != nil {
		given = append(given, d.Settings...)
	}
	if p.req.Kind != "" {
		given = append(given, param.Setting{Name: hostLockKind, Value: p.req.Kind, At: param.Place{Flag: "--kind"}})
	}
	set := slices.DeleteFunc(slices.Clone(p.req.Set), func(v param.Setting) bool { return spec.IsLoad(v.Name) || isTable(v.Name) })
	for _, v := range append(given, set...) {
		v = sameKind(v)
		if err := p.params.Apply(v); err != nil {
			return p.wrongSetting(v, err)
		}
	}
	if err := p.kinds(); err != nil {
		return err
	}
	for _, v := range set {
		if !p.used[v.Name] {
			p.notes = append(p.notes, fmt.Sprintf("%s changes nothing here: driver %s, workload %s and machine %s do not read it", v, p.driver.Name, p.workload.Name(), p.id.Machine))
		}
	}
	p.notes = slices.Concat(spec.DoubtfulCosts(slices.Concat(p.req.Costs, p.costs)), p.notes, p.noEffect(), p.misfit(), p.threadsWin())
	if err := p.cases(); err != nil {
		return err
	}
	return p.scaleLimits()
}

// unverifiable is why what is read cannot be verified.
func (p *Plan) unverifiable() error {
	const name = "fs.verify"
	v, ok := p.Param(name)
	if !ok || !p.params.Bool(name) || p.driver.StoresData {
		return nil
	}
	var legal []string
	for _, d := range dispatch.Drivers() {
		if d.StoresData {
			legal = append(legal, d.Name)
		}
	}
	return spec.ErrorAt(v.At, name, "%s=true: driver %s stores no data that could be verified; legal: --driver %s", name, p.driver.Name, strings.Join(legal, ", "))
}

// cases holds the names and values of all cases against what there is: they are
// the file's, whichever of them is run.
func (p *Plan) cases() error {
	for _, c := range p.spec.Cases {
		if c.Strategy != "" {
			if _, err := dispatch.LookupStrategy(c.Strategy); err != nil {
				return spec.ErrorAt(c.At, "strategy", "case %s: %w", c.Name, err)
			}
		}
		if c.Driver != "" {
			if _, err := dispatch.LookupDriver(c.Driver); err != nil {
				return spec.ErrorAt(c.At, "driver", "case %s: %w", c.Name, err)
			}
		}
		if _, _, err := spec.LoadSettings(c.Set); err != nil {
			return err
		}
		trial := p.params.Filter(func(string) bool { return true })
		for _, v := range c.Set {
			if spec.IsLoad(v.Name) || isTable(v.Name) {
				continue
			}
			v = sameKind(v)
			if isLock(v.Name) && trial.Has(v.Name) && len(MachinesWith(v.Value)) > 0 {
				continue // legal on one of the machines
			}
			if err := trial.Apply(v); err != nil {
				return spec.WrongSetting(err)
			}
		}
	}
	return nil
}

// declare makes the parameters known that may be given: those that this run
// reads, and the other machine's, drivers' and workloads', which may be in a
// file that is run with several, and change nothing.
func (p *Plan) declare() {
	p.params, p.used = param.New(), map[string]bool{}
	own := func(specs []param.Spec) {
		p.params.Declare(specs...)
		for _, s := range specs {
			p.used[s.Name] = true
		}
	}
	others := func(specs []param.Spec) {
		for _, s := range specs {
			if !p.params.Has(s.Name) {
				p.params.Declare(s)
			}
		}
	}
	own(dispatch.Params())
	own(p.driver.Params)
	own(p.workload.Params())
	host, locks := lockParams(p.id.Machine, p.strategy.Kernel)
	if p.Live() {
		own(append(liveParams(), host))
		others(simParams())
	} else {
		own(append(simParams(), host))
		others(liveParams())
	}
	others(locks)
	for _, d := range dispatch.Drivers() {
		others(d.Params)
	}
	others(workload.Params())
}

// wrongSetting is the request's error about a setting. Where a lock's algorithm is what another machine has, it says so.
func (p *Plan) wrongSetting(v param.Setting, err error) error {
	var wrong *param.Error
	if !isLock(v.Name) || !p.params.Has(v.Name) || v.At.Flag == "" || !errors.As(err, &wrong) {
		return spec.WrongSetting(err)
	}
	legal := wrong.Legal
	for _, m := range MachinesWith(v.Value) {
		if m != p.id.Machine {
			legal += ", or --machine " + m
		}
	}
	given := v.String()
	if v.At != param.SetFlag {
		given = v.Value
	}
	return spec.ErrorAt(v.At, v.Name, "%s on machine %s; legal: %s", given, p.id.Machine, legal)
}

// blame gives an error of the assembled system the place where the parameter
// that it is about was set: the command line, else the file.
func (p *Plan) blame(err error) error {
	var wrong *param.Error
	if !errors.As(err, &wrong) {
		return spec.Usagef("%w", err)
	}
	v, _ := p.Param(wrong.Name)
	if v.At == param.SetFlag {
		return spec.ErrorAt(v.At, wrong.Name, "%s=%s: %w", v.Name, v.Text, err)
	}
	return spec.ErrorAt(v.At, wrong.Name, "%w", err)
}

// scaleLimits lets the limits of one HBA grow and shrink with its load.
func (p *Plan) scaleLimits() error {
	for _, name := range p.spec.ScaleParameters {
		if !p.params.Has(name) {
			return p.spec.Errorf("scale.parameters", "unknown parameter %q in parameters of [scale]; legal: such as host.can_queue, host.target_can_queue, host.cmd_per_lun", name)
		}
	}
	if p.load.PerHBA == 1 {
		return nil
	}
	for _, name := range p.spec.ScaleParameters {
		v, ok := p.Param(name)
		if !ok || v.At == param.SetFlag {
			continue // what the user set stays
		}
		n := max(1, int(ownLimit(p.driver.Template, v)*p.load.PerHBA+0.5))
		if err := p.params.Apply(param.Setting{
			Name: name, Value: strconv.Itoa(n), Fitted: v.Fitted, At: v.At,
			Source: v.SourceText() + "; scaled with the load of one HBA",
		}); err != nil {
			return spec.Usagef("scale: %w", err)
		}
	}
	return nil
}

// ownLimit is a limit as one HBA has it at the experiment's own load: less
// than zero leaves it to the driver's template, and is no number to scale.
func ownLimit(t dispatch.HostTemplate, v param.Value) float64 {
	if v.Num >= 0 {
		return v.Num
	}
	own := map[string]int{
		"host.can_queue": t.CanQueue, "host.target_can_queue": t.TargetCanQueue,
		"host.cmd_per_lun": max(t.CmdPerLUN, t.QueueDepth),
	}
	return float64(own[v.Name])
}

// isLive reports whether a parameter says how this computer measures, and not
// what is measured.
func isLive(name string) bool { return strings.HasPrefix(name, "live.") }

// simParams are what the simulated machine reads.
func simParams() []param.Spec { return append(sim.Params(), placementParam()) }
