package experiment

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/profiles"
	"hostlock/results"
	"hostlock/workload"
)

// result puts together what a run found. Its error is a check that failed;
// the result is there all the same.
func (p *planned) result(acct *machine.Account, sys *dispatch.System, load workload.Run) (*results.Result, error) {
	r := p.common(acct, sys, load)
	measured, budgetErr := results.FromAccount(acct)
	r.CPU, r.Counters, r.Locks = measured.CPU, measured.Counters, measured.Locks
	r.Warnings = append(r.Warnings, p.noHostLock(r)...)
	if err := p.profile(r, acct); err != nil {
		return r, err
	}
	if p.spec.Source != "" {
		pub, err := results.LookupPublished(p.spec.Source)
		if err != nil {
			return r, p.spec.Errorf("source", "%w", err)
		}
		if c := p.caseName(); c != "" {
			r.Published = pub.Compare(c, r, p.spec.UsedToFit)
		}
	}
	return r, budgetErr
}

// common is what the results of all machines have.
func (p *planned) common(acct *machine.Account, sys *dispatch.System, load workload.Run) *results.Result {
	w, all := sys.Window(), sys.Ledger()
	seconds := acct.Window.Seconds()
	r := &results.Result{
		Schema: results.Schema,
		Experiment: results.Experiment{
			Name: p.spec.Name, Strategy: p.strategy.Name, Driver: p.driver.Name, Workload: p.workload.Name(),
			Machine: p.machineName, Cores: p.cores, Threads: load.Threads(),
			Duration: seconds, Warmup: p.warmup.Seconds(), Seed: p.seed,
		},
		Parameters:   results.ParametersOf(p.usedParams()),
		IOPS:         float64(w.Completed) / seconds,
		ThroughputMB: float64(w.Bytes) / 1e6 / seconds,
		Commands: results.Commands{
			Issued: all.Issued, Completed: all.Completed, Failed: all.Failed, Requeued: all.Requeued, Lost: all.Lost,
		},
		Latency:    results.LatencyOf(w.Latency),
		Fairness:   results.FairnessOf(w.PerIssuer, seconds),
		Title:      p.title(),
		NotGiven:   p.spec.NotGiven,
		EventCount: acct.Events,
	}
	templateValues(r.Parameters, &sys.Hosts()[0].Template)
	for _, c := range load.Operations() {
		r.Operations.Set(c.Name, c.Value)
	}
	p.driverSays(r, sys)
	p.native(r, load, acct.Window)
	r.Warnings = append(r.Warnings, p.workload.Warnings()...)
	if measured := p.measured(acct.Window); p.asked > measured {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the workload asks for %v; %v were measured (--duration profile takes its own)", p.asked, measured))
	}
	r.Warnings = append(r.Warnings, p.notes...)
	r.Warnings = append(r.Warnings, p.overLink(r)...)
	r.Warnings = append(r.Warnings, load.Notes()...)
	r.Warnings = append(r.Warnings, acct.Notes...)
	return r
}

// measured is how long the window was, in round figures: on this computer it
// ends some microseconds late, and an interrupt ends it early.
func (p *planned) measured(window time.Duration) time.Duration {
	if window+time.Microsecond >= p.duration-p.duration/100 {
		return p.duration
	}
	return window.Round(time.Millisecond)
}

// title is the experiment's, unless the request asked for another load or
// machine than it describes.
func (p *planned) title() string {
	o := p.opts
	if p.cores != p.spec.Cores || p.load.Factor != 1 || o.Threads != 0 ||
		or(o.Workload, p.spec.Workload) != p.spec.Workload || or(o.Driver, p.spec.Driver) != p.spec.Driver {
		return ""
	}
	return p.spec.Title
}

// usedParams is the parameters that this run reads, and no other driver's.
func (p *planned) usedParams() *param.Set {
	return p.params.Filter(func(name string) bool { return p.used[name] })
}

// profile writes the profiles where they are wanted, and takes the host-lock
// figures out of the CPU profile, as a user would read it.
func (p *planned) profile(r *results.Result, acct *machine.Account) error {
	info := p.info(r.Experiment.Threads)
	if p.opts.ProfilesDir != "" {
		paths, err := profiles.WriteAccount(p.opts.ProfilesDir, acct, info, profiles.CPUOptions{})
		if err != nil {
			return err
		}
		for _, kind := range []string{profiles.KindCPU, profiles.KindContention} {
			r.Profiles.Set(kind, paths[kind])
		}
	}
	var prof *profile.Profile
	var err error
	if p.opts.ProfilesDir != "" { // what counts is what the file says
		path, _ := r.Profiles.Get(profiles.KindCPU)
		prof, err = profiles.ReadFile(path)
	} else {
		// Nobody will look at single cores, and a profile of their sum says the same.
		prof, err = profiles.CPU(acct.OverCores(), info, profiles.CPUOptions{})
	}
	if err != nil {
		return err
	}
	if r.CPU.Busy == 0 {
		return fmt.Errorf("no core was busy in the %v that were measured; measure for longer", p.measured(acct.Window))
	}
	a, err := profiles.Attribute(prof, profiles.Options{})
	if err != nil {
		return fmt.Errorf("reading the CPU profile back: %w", err)
	}
	takeShares(r, a)
	return nil
}

// takeShares takes the shares of a CPU profile into a result.
func takeShares(r *results.Result, a *profiles.Attribution) {
	r.CPU.HostLock = a.HostLock.Pct
	r.CPU.HostLockByFunction = nil
	for _, s := range a.ByFunction {
		r.CPU.HostLockByFunction.Set(s.Name, s.Pct)
	}
	r.CPU.Contention = a.Contention.Pct
	r.CPU.ContentionByClass = nil
	for _, s := range a.ByClass {
		r.CPU.ContentionByClass.Set(s.Name, s.Pct)
	}
}

// caseName is the case of the published table that the run belongs to: the
// experiment's own load and machine, with all that the case changes and
// nothing else.
func (p *planned) caseName() string {
	if p.cores != p.spec.Cores || p.load.Factor != 1 || p.opts.Threads != 0 {
		return ""
	}
	for _, c := range p.spec.Cases {
		name := or(c.Strategy, p.spec.Strategy)
		info, err := dispatch.LookupStrategy(name)
		if err == nil && info.Name == p.strategy.Name && slices.Equal(c.Set, p.opts.Set) &&
			or(c.Driver, p.spec.Driver) == or(p.opts.Driver, p.spec.Driver) &&
			or(c.Workload, p.spec.Workload) == or(p.opts.Workload, p.spec.Workload) {
			return c.Name
		}
	}
	return ""
}
