package experiment

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/workload"
)

// planned is an experiment with the command line's wishes worked in, every
// name resolved and every value checked: nothing after it can be a wrong
// request.
type planned struct {
	spec     *Spec
	opts     Options
	strategy dispatch.StrategyInfo
	driver   dispatch.DriverInfo
	workload workload.Workload
	params   *param.Set
	used     map[string]bool // parameters that this run reads

	machineName string
	cores       int
	sockets     int
	seed        uint64
	load        LoadSize
	warmup      time.Duration
	duration    time.Duration
	asked       time.Duration // how long the workload itself would run; 0 where that is what is run
	notes       []string
}

// plan resolves what an experiment and the command line ask for. HBAs and their
// LUNs are no parameters: their number is the load's. Its error is a [UsageError].
func plan(spec *Spec, opts Options) (*planned, error) {
	p := &planned{spec: spec, opts: opts, seed: spec.Seed, warmup: spec.Warmup}
	var err error
	if p.strategy, err = dispatch.LookupStrategy(or(opts.Strategy, spec.Strategy)); err != nil {
		return nil, at(spec, "strategy", opts.Strategy, err)
	}
	if p.driver, err = dispatch.LookupDriver(or(opts.Driver, spec.Driver)); err != nil {
		return nil, at(spec, "driver", opts.Driver, err)
	}
	if p.workload, err = workload.Load(or(opts.Workload, spec.WorkloadPath())); err != nil {
		return nil, at(spec, "workload", opts.Workload, err)
	}
	p.machineName = MachineOf(spec, opts)
	if opts.SeedSet {
		p.seed = opts.Seed
	}
	if err := p.size(); err != nil {
		return nil, err
	}
	p.length()
	return p, p.values()
}

// MachineOf is the machine that a run is for: live or sim.
func MachineOf(spec *Spec, opts Options) string { return or(opts.Machine, spec.Machine) }

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// at says where a wrong name came from: the command line, or a line of the
// experiment's file.
func at(spec *Spec, key, given string, err error) error {
	if given != "" {
		return Usagef("--%s: %w", key, err)
	}
	return spec.Errorf(key, "%w", err)
}

// size works out cores and load. Cores alone never change the load.
func (p *planned) size() error {
	spec, opts := p.spec, p.opts
	p.cores = spec.Cores
	if opts.Cores != 0 {
		p.cores = opts.Cores
	}
	if p.machineName == "live" {
		if err := opts.CheckCores(p.machineName); err != nil {
			return err
		}
		p.cores = runtime.GOMAXPROCS(0)
	}
	if p.cores < 1 || p.cores > MaxCores {
		return Usagef("--cores %d: legal: 1 to %d", p.cores, MaxCores)
	}
	var err error
	if p.load, err = spec.LoadOf(opts, p.cores); err != nil {
		return err
	}
	p.sockets = spec.socketsFor(p.cores)
	return nil
}

// socketsFor is how many sockets a machine of other size has: as many cores to
// a socket as the experiment's own, the last socket full or not there.
func (s *Spec) socketsFor(cores int) int {
	per := max(1, s.Cores/max(1, s.Sockets))
	return min(cores, (cores+per-1)/per)
}

// length works out how long to measure.
func (p *planned) length() {
	own := p.workload.Duration()
	p.duration = p.spec.Duration
	if p.machineName == "live" {
		p.warmup = max(p.warmup, liveWarmup)
		if p.spec.LiveDuration > 0 {
			p.duration = p.spec.LiveDuration
		}
	}
	switch {
	case p.opts.Duration != 0:
		p.duration = p.opts.Duration
	case p.opts.ProfileDuration && own > 0, p.duration == 0:
		p.duration = own
		return
	}
	p.asked = own
}

// values sets the parameters: what the program declares, what the experiment
// says, what the command line says, the later over the earlier.
func (p *planned) values() error {
	p.params, p.used = param.New(), map[string]bool{}
	own := func(specs []param.Spec) {
		p.params.Declare(specs...)
		for _, s := range specs {
			p.used[s.Name] = true
		}
	}
	own(dispatch.Params())
	own(p.driver.Params)
	own(p.workload.Params())
	if p.machineName == "sim" {
		own(sim.Params())
		own(machineParams())
		p.params.Declare(liveParams()...)
	} else {
		own(liveParams())
		own([]param.Spec{liveLockParam()})
		p.params.Declare(sim.Params()...)
		p.params.Declare(placementParam())
	}
	// Parameters of other drivers and workloads may be given, in a file that is
	// run with several, and change nothing.
	for _, d := range dispatch.Drivers() {
		for _, s := range d.Params {
			if !p.params.Has(s.Name) {
				p.params.Declare(s)
			}
		}
	}
	for _, s := range workload.Params() {
		if !p.params.Has(s.Name) {
			p.params.Declare(s)
		}
	}
	for _, v := range p.spec.Parameters {
		if err := p.params.Set(v.Name, v.Value); err != nil {
			return v.ValPos.Errorf("%w", err)
		}
		if err := p.params.Mark(v.Name, v.Fitted, v.Source); err != nil {
			return v.Pos.Errorf("%w", err)
		}
	}
	for _, v := range p.opts.Costs {
		if err := p.params.Set(v.Name, v.Value); err != nil {
			return Usagef("cost table: %w", err)
		}
		if err := p.params.Mark(v.Name, false, v.Source); err != nil {
			return Usagef("cost table: %w", err)
		}
	}
	p.notes = append(p.notes, DoubtfulCosts(p.opts.Costs)...)
	if err := p.derivedValues(); err != nil {
		return err
	}
	if p.opts.Kind != "" {
		if err := p.params.Set("lock.host_lock", p.opts.Kind); err != nil {
			return p.wrongKind()
		}
		if err := p.params.Mark("lock.host_lock", false, commandLine); err != nil {
			return Usagef("--kind %w", err)
		}
	}
	for _, kv := range p.opts.Set {
		name, value, ok := strings.Cut(kv, "=")
		if name, value = strings.TrimSpace(name), strings.TrimSpace(value); !ok {
			return Usagef("--set %s: legal: name=value", kv)
		}
		if isLoad(name) {
			continue
		}
		if err := p.params.Set(name, value); err != nil {
			return Usagef("--set %w%s", err, p.otherMachine(name, value))
		}
		if err := p.params.Mark(name, false, commandLine); err != nil {
			return Usagef("--set %w", err)
		}
		if !p.used[name] {
			p.notes = append(p.notes, fmt.Sprintf("%s=%s changes nothing here: driver %s, workload %s and machine %s do not read it", name, value, p.driver.Name, p.workload.Name(), p.machineName))
		}
	}
	p.notes = append(p.notes, p.noEffect()...)
	p.notes = append(p.notes, p.misfit()...)
	p.notes = append(p.notes, p.threadsWin()...)
	return p.scaleLimits()
}

// commandLine is the source of a value that was given with the run.
const commandLine = "the command line"

// wrongKind says which algorithms the machine has, and whether the other one
// has what was asked for.
func (p *planned) wrongKind() error {
	here := simLockParam().Choices
	if p.machineName == "live" {
		here = liveLockParam().Choices
	}
	return Usagef("--kind %s on machine %s; legal: %s%s", p.opts.Kind, p.machineName, strings.Join(here, ", "), p.otherMachine("lock.host_lock", p.opts.Kind))
}

// otherMachine says that the host lock can have an algorithm on another machine
// than the run's.
func (p *planned) otherMachine(name, kind string) string {
	if name == "lock.host_lock" {
		for _, m := range MachinesWith(kind) {
			if m != p.machineName {
				return ", or --machine " + m
			}
		}
	}
	return ""
}

// scaleLimits lets the limits of one HBA grow and shrink with its load.
func (p *planned) scaleLimits() error {
	if p.load.PerHBA == 1 {
		return nil
	}
	for _, name := range p.spec.Scale.Parameters {
		if !p.used[name] {
			continue
		}
		for _, v := range p.params.Values() {
			if v.Name != name {
				continue
			}
			n := max(1, int(ownLimit(p.driver.Template, v)*p.load.PerHBA+0.5))
			if err := p.params.Set(name, strconv.Itoa(n)); err != nil {
				return Usagef("scale: %w", err)
			}
			if err := p.params.Mark(name, v.Fitted, fmt.Sprintf("%s; scaled with the load of one HBA", v.SourceText())); err != nil {
				return Usagef("scale: %w", err)
			}
		}
	}
	return nil
}

// machine makes the machine of the run.
func (p *planned) machine() (machine.Machine, error) {
	switch p.machineName {
	case "sim":
		kind, err := machine.ParseKind(p.params.Choice("lock.host_lock"))
		if err != nil {
			return nil, Usagef("lock.host_lock: %w", err)
		}
		cfg := sim.Config{
			Cores: p.cores, Sockets: p.sockets, Seed: p.seed, Costs: sim.CostsFrom(p.params),
			LockKinds: map[string]machine.Kind{"host_lock": kind},
		}
		if p.params.Choice("sched.placement") == "idle-core" {
			cfg.Placement = sim.IdleCore
		}
		m, err := sim.New(cfg)
		if err != nil {
			return nil, Usagef("%w", err)
		}
		return m, nil
	}
	return nil, Usagef("machine %q; legal: live, sim", p.machineName)
}
