package experiment

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"hostlock/machine"
	"hostlock/profiles"
	"hostlock/results"
)

// simResult puts together what a run in virtual time found. Its error is a
// check that failed; the result is there all the same.
func (p *Plan) simResult(acct *machine.Account, sys *system, o Options) (*results.Result, error) {
	r := p.common(acct, sys)
	measured, budgetErr := results.FromAccount(acct)
	r.CPU, r.Counters, r.Locks = measured.CPU, measured.Counters, measured.Locks
	r.Lines = results.LinesOf(acct, sys.Layout().FieldsOf)
	r.Warnings = append(r.Warnings, p.noSuchLock(r)...)
	p.simBound(acct, sys, r)
	unwritten, err := p.simProfiles(r, acct, o)
	if err != nil {
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
	return r, errors.Join(budgetErr, unwritten)
}

// common is what the results of all machines have.
func (p *Plan) common(acct *machine.Account, sys *system) *results.Result {
	w, all := sys.Window(), sys.Ledger()
	seconds := acct.Window.Seconds()
	r := &results.Result{
		Schema:       results.Schema,
		Experiment:   p.id,
		Parameters:   append(results.ParametersOf(p.usedParams()), p.tableParameters()...),
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
	r.Experiment.Threads, r.Experiment.Duration = sys.load.Threads(), seconds
	if d := sys.QueueDepths(); d != nil {
		r.QueueDepth = &results.QueueDepth{Full: d.Full, Configured: d.Configured, Least: d.Least, Most: d.Most}
		r.Warnings = append(r.Warnings, fmt.Sprintf("a queue limit answered TASK SET FULL %d times; queue depths began at %d, and ended at %d to %d", d.Full, d.Configured, d.Least, d.Most))
	}
	p.derivedOrigins(r.Parameters)
	templateValues(r.Parameters, &sys.Hosts()[0].Template)
	for _, c := range sys.load.Operations() {
		r.Operations.Set(c.Name, c.Value)
	}
	p.driverSays(r, sys)
	var native bytes.Buffer // what the workload's own program would print
	if err := sys.load.NativeReport(&native, acct.Window); err == nil {
		r.Native = native.Bytes()
	}
	r.Warnings = append(r.Warnings, p.workload.Warnings()...)
	if measured := p.measured(acct.Window); p.asked > measured {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the workload asks for %v; %v were measured (--duration profile takes its own)", p.asked, measured))
	}
	r.Warnings = append(r.Warnings, p.notes...)
	r.Warnings = append(r.Warnings, p.placed(sys)...)
	r.Warnings = append(r.Warnings, unused(sys.Devices())...)
	r.Warnings = append(r.Warnings, p.overLink(r)...)
	r.Warnings = append(r.Warnings, p.softLimit()...)
	r.Warnings = append(r.Warnings, sys.load.Notes()...)
	r.Warnings = append(r.Warnings, acct.Notes...)
	return r
}

// measured is how long the window was, in round figures: on this computer it
// ends some microseconds late, and an interrupt ends it early.
func (p *Plan) measured(window time.Duration) time.Duration {
	if window+time.Microsecond >= p.duration-p.duration/100 {
		return p.duration
	}
	return window.Round(time.Millisecond)
}

// title is the experiment's, unless the request asked for another load or
// machine than it describes.
func (p *Plan) title() string {
	s, r := p.spec, p.req
	if !p.as() || cmp.Or(r.Workload, s.Workload) != s.Workload || cmp.Or(r.Driver, s.Driver) != s.Driver {
		return ""
	}
	return s.Title
}

// driverSays adds the counts and notes of the drivers, over all hosts, and of
// error handling.
func (p *Plan) driverSays(r *results.Result, sys *system) {
	for _, c := range sys.DriverCounts() {
		sum, _ := r.Operations.Get(c.Name)
		r.Operations.Set(c.Name, sum+c.Value)
	}
	r.Warnings = append(r.Warnings, sys.DriverNotes()...)
	r.Warnings = append(r.Warnings, sys.Free()...)
	r.Warnings = append(r.Warnings, faultNotes(sys)...)
	r.Warnings = append(r.Warnings, sys.ErrorCounts().Notes()...)
	if pools, deferred := sys.SGPools(); deferred > 0 {
		reserve := int64(0)
		for _, pool := range pools {
			reserve += pool.FromReserve
		}
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d scatter/gather tables came from the pools' reserve; %d allocations found nothing, and put their request off", reserve, deferred))
	}
}

// simProfiles writes the profiles where they are wanted, and takes the host-lock
// figures out of the CPU profile, as a user would read it. Files that cannot be
// written, on a full disk, take nothing from the result.
func (p *Plan) simProfiles(r *results.Result, acct *machine.Account, o Options) (unwritten, failed error) {
	info := profiles.Info{Identity: r.Experiment}
	if o.ProfilesDir != "" {
		var paths map[string]string
		paths, unwritten = profiles.WriteAccount(o.ProfilesDir, acct, info)
		if unwritten != nil {
			paths = nil
		}
		for _, kind := range []string{profiles.KindCPU, profiles.KindContention} {
			if path, ok := paths[kind]; ok {
				r.Profiles.Set(kind, path)
			}
		}
	}
	var prof *profile.Profile
	var err error
	if path, ok := r.Profiles.Get(profiles.KindCPU); ok { // what counts is what the file says
		prof, err = profiles.ReadFile(path)
	} else {
		// Nobody will look at single cores, and a profile of their sum says the same.
		prof, err = profiles.CPU(acct.OverCores(), info)
	}
	if err != nil {
		return unwritten, err
	}
	if r.CPU.Busy == 0 {
		return unwritten, fmt.Errorf("no core was busy in the %v that were measured; measure for longer", p.measured(acct.Window))
	}
	a, err := profiles.Attribute(prof, profiles.Options{})
	if err != nil {
		return unwritten, fmt.Errorf("reading the CPU profile back: %w", err)
	}
	takeShares(r, a)
	return unwritten, nil
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
