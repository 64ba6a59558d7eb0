package experiment

import (
	"fmt"
	"math"
	"time"

	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/profiles"
	"hostlock/results"
)

// disagreement is how far, in points, the CPU profile and the locks' own clocks
// may lie apart before a run warns.
const disagreement = 2

// enoughCPU is how much processor time a run must have had before a CPU
// profile without samples is a fault and not a short window: some twenty
// samples.
const enoughCPU = 200 * time.Millisecond

// liveResult puts together what a live run found. Shares come from the CPU
// profile, read back as a user would read it.
func (p *Plan) liveResult(acct *machine.Account, report machine.LiveReport, sys *system, c *liveCapture) (*results.Result, error) {
	r := p.common(acct, sys)
	measured, _ := results.FromAccount(acct) // its budget is by the clock, and need not close
	r.Locks = measured.Locks
	r.Warnings = append(r.Warnings, p.noSuchLock(r)...)
	r.Live = p.liveOf(report)
	if c.err != nil {
		return r, c.err
	}
	if err := p.liveProfiles(r, acct, c); err != nil {
		return r, err
	}
	a, err := p.attribute(c)
	if err != nil {
		if report.CPU < enoughCPU {
			r.Warnings = append(r.Warnings, err.Error())
			r.CPU.Budget.Set(machine.Idle.String(), 100)
			return r, nil
		}
		return r, err
	}
	r.Live.Samples, r.Live.Rate = a.Samples, p.params.Int("live.cpu_rate")
	takeShares(r, a)
	p.liveCPU(r, acct, report, a)
	p.liveBound(acct, sys, r)
	r.Counters = results.Counters{HostLock: measured.CPU.HostLock, Contention: measured.CPU.Contention}
	if p.mutexKind() {
		r.Warnings = append(r.Warnings, "the host lock is a sync.Mutex: its waiters sleep, so a CPU profile does not see its contention; see the mutex, block and wall-clock profiles")
	} else if d := math.Abs(r.CPU.HostLock - r.Counters.HostLock); d > disagreement && r.Live.Disturbed() {
		r.Warnings = append(r.Warnings, fmt.Sprintf("host-lock share by the CPU profile %.1f %%, by the locks' own clocks %.1f %%: %.1f points apart, and with other processes at work neither is to be trusted",
			r.CPU.HostLock, r.Counters.HostLock, d))
	} else if d > disagreement {
		r.Warnings = append(r.Warnings, fmt.Sprintf("host-lock share by the CPU profile %.1f %% (sampling error %.1f points), by the locks' own clocks %.1f %%: %.1f points apart, where %d are expected on a quiet computer; the profile is the one to trust",
			r.CPU.HostLock, r.Live.StdErr(r.CPU.HostLock), r.Counters.HostLock, d, disagreement))
	}
	if c.cpu.Warning != "" {
		r.Warnings = append(r.Warnings, c.cpu.Warning)
	}
	r.Warnings = append(r.Warnings, a.Notes...)
	if table, before, after := LiveTable(p.spec); table != nil && p.req.Derived != nil {
		used := []string{before.Name + ".host_lock_pct", after.Name + ".host_lock_pct", before.Name + ".iops", after.Name + ".iops"}
		if name := p.liveCase(); name != "" {
			r.Published = table.CompareLive(name, r, used)
		}
	}
	return r, nil
}

// attribute reads the CPU profile: the file, where there is one, since what
// counts is what the file says.
func (p *Plan) attribute(c *liveCapture) (*profiles.Attribution, error) {
	opts := profiles.Options{}
	if p.mutexKind() {
		// A mutex sets no labels, and no other lock is one.
		opts.UnlabelledClass = profiles.ClassHostLock
	}
	if c.cpu.Path != "" {
		return profiles.AttributeFile(c.cpu.Path, opts)
	}
	a, err := profiles.Attribute(c.cpu.Profile, opts)
	if err != nil {
		return nil, fmt.Errorf("reading the CPU profile back: %w", err)
	}
	return a, nil
}

// liveProfiles writes our own contention profile and notes where all of them
// are.
func (p *Plan) liveProfiles(r *results.Result, acct *machine.Account, c *liveCapture) error {
	if c.dir == "" {
		return nil
	}
	r.Profiles.Set(profiles.KindCPU, c.cpu.Path)
	prof, err := profiles.Contention(acct, c.info)
	if err != nil {
		return err
	}
	path := c.path(profiles.KindContention)
	if err := profiles.WriteFile(path, prof); err != nil {
		return err
	}
	r.Profiles.Set(profiles.KindContention, path)
	for _, kind := range []string{profiles.KindMutex, profiles.KindBlock} {
		if got := c.mutex[kind]; got != nil {
			r.Profiles.Set(kind, got.Path)
		}
	}
	return nil
}

// liveCPU fills in busy time and budget: how much was busy is the system's
// count less the pollers', what it was spent on is the profile's word.
func (p *Plan) liveCPU(r *results.Result, acct *machine.Account, report machine.LiveReport, a *profiles.Attribution) {
	busy := 100.0
	if whole := float64(report.Window) * float64(acct.Cores); report.CPUKnown && whole > 0 {
		busy = 100 * min(float64(report.Busy())/whole, 1)
	}
	r.CPU.Busy = busy
	of := busy / 100
	r.CPU.Budget = nil
	for _, s := range a.WorkBySection {
		name := s.Name
		if name == "" {
			name = results.Other
		}
		r.CPU.Budget.Set("work."+name, s.Pct*of)
	}
	for _, s := range a.ByClass {
		if s.Name != profiles.ClassCacheLine {
			r.CPU.Budget.Set("spin."+s.Name, s.Pct*of)
		}
	}
	for _, s := range a.ByWhat {
		// Waiting for cache lines is inside work: no profile of real cores
		// tells it apart.
		if s.Name != machine.Working.String() && s.Name != machine.Spinning.String() && s.Pct > 0 {
			r.CPU.Budget.Set(s.Name, s.Pct*of)
		}
	}
	r.CPU.Budget.Set(machine.Idle.String(), 100-busy)
}

// liveOf is what the machine says of itself.
func (p *Plan) liveOf(report machine.LiveReport) *results.Live {
	l := &results.Live{
		Scale: 1, Kind: p.params.Choice(hostLockKind),
		CPU: report.CPU.Seconds(), Polled: report.Polled.Seconds(),
		Neighbours: -1, Neighbour: report.Neighbours.String(),
		LateMean: float64(report.TimerLate.Avg()) / 1e3, LateMax: float64(report.TimerLate.Max) / 1e3,
		Yields: report.Yields, Burn: report.Calibration, Derivation: []string{},
	}
	if report.Neighbours.Known {
		l.Neighbours = report.Neighbours.CPU
	}
	if d := p.req.Derived; d != nil {
		l.Scale, l.Derivation = d.Scale, d.Lines
	}
	return l
}

// LiveTable is the published table of an experiment whose two cases differ in
// strategy and have a host-lock share each; nil where there is none.
func LiveTable(s *spec.Spec) (table *results.Published, before, after spec.Case) {
	if s.Source == "" {
		return nil, spec.Case{}, spec.Case{}
	}
	table, err := results.LookupPublished(s.Source)
	if err != nil {
		return nil, spec.Case{}, spec.Case{}
	}
	var cases []spec.Case
	for _, c := range s.Cases {
		if _, ok := table.Figure(c.Name + ".host_lock_pct"); ok && len(c.Set) == 0 && c.Workload == "" {
			cases = append(cases, c)
		}
	}
	if len(cases) != 2 {
		return nil, spec.Case{}, spec.Case{}
	}
	return table, cases[0], cases[1]
}
