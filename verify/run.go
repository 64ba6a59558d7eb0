package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"

	"hostlock/dispatch"
	"hostlock/machine/explore"
	"hostlock/machine/param"
)

// gcPercent is for a run that makes much garbage and keeps next to nothing: a
// system of a megabyte, now and then or in every schedule.
const gcPercent = 800

// Run verifies a strategy until something is found, all schedules are done, or
// ctx is. The report says what was done, also together with ctx's error. Other
// errors are about the request. While it runs, the garbage collector of the
// process is set to let more gather.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	if cfg.Exhaustive && cfg.Threads == 0 && cfg.Commands == 0 && cfg.LUNs == 0 {
		return runAll(ctx, cfg)
	}
	return run(ctx, cfg)
}

func run(ctx context.Context, cfg Config) (*Report, error) {
	v, err := newVerifier(cfg)
	if err != nil {
		return nil, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	searching, stop := context.WithCancel(ctx)
	defer stop()
	v.stop = stop
	e, err := explore.Run(searching, v.cfg.explore(), v.test)
	if v.free != "" && ctx.Err() == nil {
		err = nil
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	r := &Report{Config: v.cfg, Explored: *e, Turns: v.turns, Skipped: v.skipped, Partial: err != nil, Alone: v.alone(), stalls: v.stalls}
	for _, n := range v.stalls {
		r.Late, r.Stalled = r.Late+n.late, r.Stalled+n.stalled
	}
	if f := e.Failure; f != nil {
		r.Finding = &Finding{Failure: *f, Scenario: v.failed(f), Config: v.cfg}
		if f.Alone { // on a system of its own, where it would be drawn anew
			r.Finding.Config.Scenarios = []string{v.pinned.Name}
		}
		if !cfg.AsFound && !cfg.Exhaustive {
			r.Finding = smaller(ctx, r.Finding)
		}
	}
	if r.Finding == nil && err == nil && v.free != "" {
		r.Finding = &Finding{Failure: explore.Failure{Kind: Free, What: v.free, Index: e.Schedules - 1}, Scenario: v.last.Name, Config: v.cfg}
	}
	if r.Finding == nil && err == nil && cfg.long() {
		if r.Long, r.Finding, err = LongRun(ctx, cfg); err != nil && ctx.Err() == nil {
			return nil, err
		}
		r.Partial = err != nil
	}
	if scenario, why := tooMany(v.stalls); r.Finding == nil && err == nil && why != "" {
		cfg.Strict, cfg.Progress, cfg.Scenarios = true, nil, []string{scenario}
		strict, err := Run(ctx, cfg) // which shows one
		if err == nil && strict.Finding != nil {
			r.Finding = strict.Finding
			r.Finding.What = why
		}
	}
	return r, err
}

// runAll runs an exhaustive verification whose size nobody has given: two threads
// on a LUN each first, where nothing but the host is shared and a fault is told in
// the fewest steps, then two on one.
func runAll(ctx context.Context, cfg Config) (*Report, error) {
	apart := cfg
	apart.Threads, apart.Commands, apart.LUNs = 2, 1, 2
	first, err := run(ctx, apart)
	if first == nil || err != nil || first.Finding != nil {
		return first, err
	}
	r, err := run(ctx, cfg)
	if r != nil {
		r.Before = first
	}
	return r, err
}

// Replay runs one schedule again, by the name that a finding gave it; nil is no
// finding. cfg must be what it was found with.
func Replay(cfg Config, schedule string) (*Finding, error) {
	v, err := newVerifier(cfg)
	if err != nil {
		return nil, err
	}
	v.stop = func() {}
	f, err := explore.Replay(v.cfg.explore(), schedule, v.test)
	if err != nil || f == nil {
		return nil, err
	}
	return &Finding{Failure: *f, Scenario: v.last.Name, Config: v.cfg}, nil
}

// Free is the kind of finding that no single schedule shows: a verb that made no
// operation of the machine, in no schedule, although its answers changed.
const Free explore.Kind = "costs nothing"

// verifier is what all schedules of a run share.
type verifier struct {
	cfg    Config
	from   []*Scenario
	params map[*Scenario]*param.Set
	turns  map[string]int
	last   *Scenario
	pinned *Scenario // in which something went wrong
	// skipped are the scenarios that need a dispatch.Recoverer, which the strategy
	// is not.
	skipped []string
	stalls  map[string]*stalls // by scenario
	inside  meetings
	stop    func() // ends the search
	free    string // which verb costs nothing; "" where none does
}

func newVerifier(cfg Config) (*verifier, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	si, err := dispatch.LookupStrategy(cfg.Strategy)
	if err != nil {
		return nil, err
	}
	cfg.Strategy = si.Name
	v := &verifier{cfg: cfg, params: map[*Scenario]*param.Set{}, turns: map[string]int{}, stalls: map[string]*stalls{}, inside: meetings{}}
	for _, s := range scenarios {
		if cfg.wants(s) {
			if name := cfg.unfit(s); name != "" {
				if len(cfg.Scenarios) > 0 {
					return nil, fmt.Errorf("scenario %s says nothing with %s set; legal: another scenario, or without it", s.Name, name)
				}
				continue
			}
			if s.recovers && !si.Recovers {
				if len(cfg.Scenarios) > 0 {
					return nil, fmt.Errorf("scenario %s: strategy %s: %w", s.Name, cfg.Strategy, dispatch.ErrNoRecoverer)
				}
				v.skipped = append(v.skipped, s.Name)
				continue
			}
			v.from = append(v.from, s)
			if v.params[s], err = cfg.params(s, false); err != nil {
				return nil, err
			}
		}
	}
	if len(v.from) == 0 {
		return nil, fmt.Errorf("driver %s can do none of these scenarios with these parameters; legal: fewer --set, or an own driver", cfg.Driver)
	}
	return v, nil
}

// unfit is a parameter that was set and leaves a scenario nothing to say; "" where
// none does.
func (c *Config) unfit(s *Scenario) string {
	for _, name := range slices.Sorted(maps.Keys(c.Set)) {
		if !s.stands(name) && c.Set[name] != "0" {
			return name
		}
	}
	return ""
}

// refuses reports whether the driver was asked to refuse or fail commands, after
// which the plug's timer has work of its own.
func (c *Config) refuses() bool {
	return c.Set[DriverName+".busy_rate"] != "" || c.Set[DriverName+".retry_rate"] != ""
}

// wants reports whether a scenario was asked for, and can be had.
func (c *Config) wants(s *Scenario) bool {
	if c.Exhaustive && len(c.Scenarios) == 0 {
		return s == scenarios[0]
	}
	if len(c.Scenarios) == 0 {
		return true
	}
	for _, name := range c.Scenarios {
		if name == s.Name {
			return true
		}
	}
	return false
}

// test sets one schedule up.
func (v *verifier) test(m *explore.Machine) (func() error, error) {
	if m.Fresh() && v.pinned == nil {
		v.pinned = v.last
	}
	r, _ := m.Kept().(*rig)
	if r == nil {
		s := v.from[0]
		switch {
		case m.Fresh() && v.pinned != nil:
			s = v.pinned // what is looked for again is looked for where it was
		case !v.cfg.Exhaustive:
			s = draw(v.from, m.Seed())
		}
		m.Widen(s.cores)
		var err error
		if r, err = build(m, &v.cfg, s, v.params[s], v.inside); err != nil {
			return nil, err
		}
		r.fixed = v.cfg.Exhaustive
	}
	if !r.scenario.wrecks {
		m.Keep(r)
	}
	v.last, r.short = r.scenario, m.Learning()
	if !m.Learning() {
		v.turns[r.scenario.Name]++
	}
	spread := v.cfg.cores()
	if !r.fixed {
		spread = 1 + int(m.Seed()>>32)%spread
	}
	// Half of the schedules without refusals let the plug's timer fire when it
	// may, and half when it must: how often that is says how good restarts are.
	late := r.scenario.strict && !v.cfg.refuses() && (r.fixed || m.Seed()&1 == 0)
	if late {
		m.LateTimers()
	}
	if late = late && !m.Learning(); late {
		if v.stalls[r.scenario.Name] == nil {
			v.stalls[r.scenario.Name] = &stalls{}
		}
		v.stalls[r.scenario.Name].late++
	}
	v.inside.leave()
	if s := r.scenario; !s.wrecks && (s.calm() || !m.Learning()) {
		m.ComesBack()
	}
	r.start(m, spread)
	return func() error {
		if free := r.sys.Free(); len(free) > 0 && v.free == "" {
			v.free = free[0] // no schedule shows more
			v.stop()
		}
		if late && m.LateFirings() > 0 {
			v.stalls[r.scenario.Name].stalled++
			if v.cfg.Strict {
				return errStall
			}
		}
		return r.check()
	}, nil
}

var errStall = errors.New("a queue was refused a slot, the slot came free, and nothing but the 3 ms timer of its plug restarted it")

// failed is the scenario of the schedule that explore has just explained.
func (v *verifier) failed(*explore.Failure) string { return v.last.Name }

// smaller looks for the same kind of failure with fewer threads and commands,
// so that there is less to read.
func smaller(ctx context.Context, f *Finding) *Finding {
	const tries = 4000
	// All orders of two commands on a LUN each come first: what goes wrong there is
	// told in the fewest steps, whatever the seed was and whatever else the fault
	// leads to.
	if f.Config.Threads > 2 && len(f.Config.Set) == 0 && f.Config.Driver == DriverName {
		c := Config{Strategy: f.Config.Strategy, Exhaustive: true, Threads: 2, Commands: 1, LUNs: 2, Seed: f.Config.Seed, Mistake: f.Config.Mistake, Strict: f.Config.Strict, Schedules: tries}
		if r, err := run(ctx, c); err == nil && r.Finding != nil && r.Finding.Steps < f.Steps {
			return r.Finding
		}
	}
	for _, size := range [...][2]int{{2, 1}, {2, 2}, {3, 1}, {3, 2}, {4, 2}} {
		c := f.Config
		if size[0] > c.Threads || size[1] > c.Commands || size[0] == c.Threads && size[1] == c.Commands {
			continue
		}
		c.Threads, c.Commands = size[0], size[1]
		c.Schedules, c.AsFound, c.Progress = tries, true, nil
		c.Scenarios = []string{f.Scenario}
		r, err := run(ctx, c)
		if err != nil {
			break
		}
		if g := r.Finding; g != nil && g.Kind == f.Kind && g.Steps < f.Steps {
			return g
		}
	}
	return f
}
