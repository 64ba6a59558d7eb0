// Package experiment plans and runs experiments: machine x driver x strategy x
// workload x parameters. Package spec reads what an experiment is, [NewPlan]
// works a request into it, [Run] runs it; derive, sweep and evidence are made
// of such runs.
package experiment

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"time"

	"hostlock/dispatch"
	"hostlock/experiment/spec"
	"hostlock/machine/layout"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/results"
	"hostlock/workload"
)

// Plan is an experiment with a request worked in: every name resolved, every
// value checked. Nothing after it can be a wrong request but what only an
// assembled system knows. It does not change, and can be run any number of
// times.
type Plan struct {
	id       results.Identity // without the threads of a load that has a number of its own
	spec     *spec.Spec
	req      Request
	strategy dispatch.StrategyInfo
	driver   dispatch.DriverInfo
	workload workload.Workload
	params   *param.Set
	used     map[string]bool // parameters that this run reads

	costs      []param.Setting // of a table that --set names
	layout     *layout.Layout  // nil where every field is where its owner has it
	layoutName param.Setting   // zero where none was named

	sockets  int
	load     spec.LoadSize
	warmup   time.Duration
	duration time.Duration
	asked    time.Duration // how long the workload itself would run; 0 where that is what is run
	notes    []string
}

// NewPlan resolves what an experiment and a request ask for. HBAs and their
// LUNs are no parameters: their number is the load's. Its error is a
// [spec.UsageError].
func NewPlan(s *spec.Spec, r Request) (*Plan, error) {
	if err := r.validate(s); err != nil {
		return nil, err
	}
	p := &Plan{spec: s, req: r, warmup: cmp.Or(r.Warmup, s.Warmup)}
	var err error
	if p.strategy, err = dispatch.LookupStrategy(cmp.Or(r.Strategy, s.Strategy)); err != nil {
		return nil, p.wrongName("strategy", r.Strategy, err)
	}
	if p.driver, err = dispatch.LookupDriver(cmp.Or(r.Driver, s.Driver)); err != nil {
		return nil, p.wrongName("driver", r.Driver, err)
	}
	if p.workload, err = workload.Load(cmp.Or(r.Workload, s.WorkloadPath())); err != nil {
		return nil, p.wrongName("workload", r.Workload, err)
	}
	p.id = results.Identity{
		Name: s.Name, Strategy: p.strategy.Name, Driver: p.driver.Name, Workload: p.workload.Name(),
		Machine: r.machine(s), Cores: s.Cores, Seed: s.Seed,
	}
	if r.Seed.Given {
		p.id.Seed = r.Seed.N
	}
	if err := p.size(); err != nil {
		return nil, err
	}
	p.length()
	p.id.Warmup = p.warmup.Seconds()
	if err := p.tables(); err != nil {
		return nil, err
	}
	if err := p.values(); err != nil {
		return nil, err
	}
	if per := p.params.Int(sim.SocketThreads); per > 0 && !p.Live() {
		p.sockets = (p.id.Cores + per - 1) / per
	}
	if err := cmp.Or(p.tooLarge(), p.unverifiable()); err != nil {
		return nil, err
	}
	return p, p.refused()
}

// wrongName says where a wrong name came from: the command line, or a line of
// the experiment's file.
func (p *Plan) wrongName(key, given string, err error) error {
	if given != "" {
		return spec.ErrorAt(param.Place{}, key, "%w", err)
	}
	return p.spec.Errorf(key, "%w", err)
}

// size works out cores and load. Cores alone never change the load.
func (p *Plan) size() error {
	s, r := p.spec, p.req
	if r.Cores != 0 {
		p.id.Cores = r.Cores
	}
	if p.Live() {
		p.id.Cores = runtime.GOMAXPROCS(0)
	}
	p.sockets = socketsFor(s, p.id.Cores)
	factor, hbas, err := spec.LoadSettings(r.Set)
	switch {
	case err != nil:
		return err
	case r.Weak:
		factor = float64(p.id.Cores) / float64(s.Cores)
	case factor == 0:
		factor = 1
	}
	if p.load, err = s.SizedLoad(factor, hbas); err != nil {
		return err
	}
	if r.Workload != "" {
		p.load.Threads = 0 // another workload has a number of its own
	}
	p.load.Threads = cmp.Or(r.Threads, p.load.Threads)
	p.id.Threads = p.load.Threads
	return nil
}

// socketsFor is how many sockets a machine of other size has: as many cores to
// a socket as the experiment's own, the last socket full or not there.
func socketsFor(s *spec.Spec, cores int) int {
	per := max(1, s.Cores/max(1, s.Sockets))
	return min(cores, (cores+per-1)/per)
}

// length works out how long to measure.
func (p *Plan) length() {
	own := p.workload.Duration()
	p.duration = p.spec.Duration
	if p.Live() {
		p.warmup = max(p.warmup, LiveWarmup)
		if p.spec.LiveDuration > 0 {
			p.duration = p.spec.LiveDuration
		}
	}
	switch {
	case p.req.Duration != 0:
		p.duration = p.req.Duration
	case p.req.ProfileDuration && own > 0, p.duration == 0:
		p.duration = own
		return
	}
	p.asked = own
}

// refused is why a driver cannot run under a strategy: one that drops the host
// lock takes away what the driver's queuecommand relies on. The patch's
// objectors had exactly this in mind: such a driver must be converted first.
func (p *Plan) refused() error {
	if !p.strategy.DropsHostLock {
		return nil
	}
	needs, why := p.driver.Template.NeedsHostLock, cmp.Or(p.driver.Template.HostLockReason, "its template says so")
	switch p.params.Choice("host.needs_host_lock") {
	case "true":
		needs, why = true, "host.needs_host_lock=true says so"
	case "false":
		needs = false
	}
	if !needs {
		return nil
	}
	var keep []string // those that hold it there, or give such a driver one around queuecommand alone
	for _, s := range dispatch.Strategies() {
		if !s.DropsHostLock {
			keep = append(keep, s.Name)
		}
	}
	return spec.ErrorAt(param.Place{}, "strategy", "driver %s relies on the host lock in queuecommand (%s), which strategy %s drops; legal: %s",
		p.driver.Name, why, p.strategy.Name, strings.Join(keep, ", "))
}

// Identity is what is run. Its threads are 0 where the workload has a number of
// its own, and its duration is 0: both are known once it has run.
func (p *Plan) Identity() results.Identity { return p.id }

// Live reports whether the plan is for this computer's own cores.
func (p *Plan) Live() bool { return p.id.Machine == "live" }

// Spec is the experiment as its file has it.
func (p *Plan) Spec() *spec.Spec { return p.spec }

// Request is what was asked for against the experiment's file.
func (p *Plan) Request() Request { return p.req }

// Strategy is the strategy that runs, and what it can do.
func (p *Plan) Strategy() dispatch.StrategyInfo { return p.strategy }

// Load is the size of the load.
func (p *Plan) Load() spec.LoadSize { return p.load }

// Window is how long the plan warms up and measures.
func (p *Plan) Window() (warmup, measure time.Duration) { return p.warmup, p.duration }

// Parameters lists every parameter that the run reads, with its value.
func (p *Plan) Parameters() []param.Value { return p.usedParams().Values() }

// Param is a parameter that the run reads.
func (p *Plan) Param(name string) (param.Value, bool) {
	for _, v := range p.Parameters() {
		if v.Name == name {
			return v, true
		}
	}
	return param.Value{}, false
}

func (p *Plan) usedParams() *param.Set {
	return p.params.Filter(func(name string) bool { return p.used[name] })
}

// as reports whether the plan has the experiment's own machine size and load.
func (p *Plan) as() bool {
	return p.id.Cores == p.spec.Cores && p.load.Factor == 1 && p.req.Threads == 0
}

// caseName is the case of the published table that the run belongs to: the
// experiment's own load and machine, with all that the case changes and
// nothing else.
func (p *Plan) caseName() string {
	if !p.as() {
		return ""
	}
	s, r := p.spec, p.req
	i := slices.IndexFunc(s.Cases, func(c spec.Case) bool {
		info, err := dispatch.LookupStrategy(cmp.Or(c.Strategy, s.Strategy))
		return err == nil && info.Name == p.strategy.Name && param.Same(c.Set, r.Set) &&
			cmp.Or(c.Driver, s.Driver) == cmp.Or(r.Driver, s.Driver) &&
			cmp.Or(c.Workload, s.Workload) == cmp.Or(r.Workload, s.Workload)
	})
	if i < 0 {
		return ""
	}
	return s.Cases[i].Name
}

// liveCase is the case that a live run stands beside, whose cores are others.
func (p *Plan) liveCase() string {
	if p.load.Factor != 1 || p.req.Driver != "" || p.req.Workload != "" || p.loadSet() {
		return ""
	}
	c, _ := p.spec.CaseOf(p.strategy.Name)
	return c.Name
}

// loadSet reports whether the request changed what is compared, and not only
// how it is measured.
func (p *Plan) loadSet() bool {
	return p.mutexKind() || slices.ContainsFunc(p.req.Set, func(v param.Setting) bool { return !isLive(v.Name) })
}
