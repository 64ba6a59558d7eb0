package strategytest

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hostlock/dispatch"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/sim"
	"hostlock/verify"
)

// RunNew registers a strategy, unless its name is known, and runs it.
func RunNew(t *testing.T, info dispatch.StrategyInfo, opts ...Option) {
	t.Helper()
	if _, err := dispatch.LookupStrategy(info.Name); err != nil {
		dispatch.RegisterStrategy(info)
	}
	Run(t, info.Name, opts...)
}

// Run checks a registered strategy. With -short it takes a second or two,
// otherwise some more.
func Run(t *testing.T, strategy string, opts ...Option) {
	t.Helper()
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	var told bool
	before := goleak.IgnoreCurrent()
	t.Run("explore", func(t *testing.T) { explored(t, strategy, o, &told) })
	for _, s := range verify.All() {
		t.Run("sim/"+s.Name, func(t *testing.T) { simulated(t, strategy, s.Name) })
		t.Run("live/"+s.Name, func(t *testing.T) { live(t, strategy, s.Name) })
	}
	flows(t, strategy)
	errorHandling(t, strategy, &told)
	t.Run("allocations", func(t *testing.T) { allocations(t, strategy, nil) })
	t.Run("errors/allocations", func(t *testing.T) {
		allocations(t, strategy, map[string]string{"midlayer.error_handling": "true"})
	})
	goleak.VerifyNone(t, before)
}

// schedules is how many to explore of all scenarios.
func schedules() int {
	switch {
	case raceEnabled: // coroutines are slow then, and prove nothing more
		return 60
	case testing.Short():
		return 300
	}
	return 3000
}

// explored runs schedules of every scenario, and a small load exhaustively.
func explored(t *testing.T, strategy string, o options, told *bool) {
	schedules := schedules()
	if o.stalls != "" {
		t.Logf("stalls are no finding: %s", o.stalls)
	}
	for _, cfg := range []verify.Config{
		{Schedules: schedules},
		{Exhaustive: true, Threads: 2, Commands: 1, Preemptions: 1, Schedules: schedules},
	} {
		cfg.Strategy, cfg.Seed, cfg.Strict = strategy, 1, o.stalls == ""
		explore(t, cfg, told)
	}
}

// explore fails with the schedule of a finding, unless one was told before: most
// faults are found in several ways, and one schedule is enough to read.
func explore(t *testing.T, cfg verify.Config, told *bool) {
	t.Helper()
	r, err := verify.Run(context.Background(), cfg)
	unable(t, err)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Finding; f != nil {
		const replay = "to replay it, in the directory of a main package that registers the strategy"
		if *told {
			t.Fatalf("%s, in scenario %s; %s: %s", f.Error(), f.Scenario, replay, f.Command())
		}
		*told = true
		var b bytes.Buffer
		if err := f.Print(&b, false); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("%s%s: see the line above", b.String(), replay)
	}
	t.Logf("%d schedules, %d stalls in %d", r.Explored.Schedules, r.Stalled, r.Late)
	if len(r.Skipped) > 0 {
		t.Logf("skipped: %v: strategy has no Recoverer", r.Skipped)
	}
}

// load is what the timed machines run: more threads and slots than explored
// schedules can have.
func load(strategy string) verify.Config {
	return verify.Config{Strategy: strategy, Threads: 8, Commands: 8, LUNs: 4, CanQueue: 5}
}

func simulated(t *testing.T, strategy, scenario string) {
	m, err := sim.New(sim.Config{Cores: 8, Sockets: 2, Seed: 1, Costs: sim.DefaultCosts()})
	if err != nil {
		t.Fatal(err)
	}
	d := 20 * time.Millisecond
	if raceEnabled {
		d = 2 * time.Millisecond
	}
	ledger, err := verify.Load(context.Background(), m, load(strategy), scenario, machine.Course{Duration: d})
	judge(t, ledger, err)
}

func live(t *testing.T, strategy, scenario string) {
	m, err := machine.NewLive(machine.LiveConfig{Seed: 1})
	if err != nil {
		t.Skip(err)
	}
	d := 60 * time.Millisecond
	if testing.Short() {
		d = 20 * time.Millisecond
	}
	ledger, err := verify.Load(context.Background(), m, load(strategy), scenario, machine.Course{Duration: d})
	judge(t, ledger, err)
}

func judge(t *testing.T, ledger tally.Counts, err error) {
	t.Helper()
	unable(t, err)
	if err != nil {
		t.Fatal(err)
	}
	if ledger.Issued == 0 {
		t.Fatal("no command was issued")
	}
	t.Logf("%d commands, %d failed, %d put back", ledger.Issued, ledger.Failed, ledger.Requeued)
}

// allocations counts what one thread's commands allocate once everything has
// its size. What other goroutines of the process allocate meanwhile counts too,
// and so the best of a few attempts does.
func allocations(t *testing.T, strategy string, set map[string]string) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	const most = 0.05
	each := 0.0
	for range 5 {
		if each = perCommand(t, strategy, set); each <= most {
			return
		}
	}
	t.Fatalf("%.2f allocations a command", each)
}

func perCommand(t *testing.T, strategy string, set map[string]string) float64 {
	m, err := machine.NewLive(machine.LiveConfig{Seed: 1})
	if err != nil {
		t.Skip(err)
	}
	p, err := dispatch.NewParams(verify.DriverName)
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range []map[string]string{{"verify.inline_rate": "1", "verify.device_rate": "0", "verify.silent": "true"}, set} {
		for k, v := range values {
			if err := p.Set(k, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	sys, err := dispatch.New(m, dispatch.Config{Strategy: strategy, Driver: verify.DriverName, Params: p, LUNs: 2})
	unable(t, err)
	if err != nil {
		t.Fatal(err)
	}
	const warm, measured = 2000, 5000
	var before, after runtime.MemStats
	m.Go("issuer", 0, false, func(th *machine.Thread) {
		iss := sys.NewIssuer(th)
		for n := range warm + measured {
			if n == warm {
				runtime.ReadMemStats(&before)
			}
			if err := iss.Do(th, sys.Devices()[n%2], dispatch.Read, int64(n%64)*8, 8, 1, nil); err != nil {
				t.Error(err)
			}
		}
		runtime.ReadMemStats(&after)
		for !m.Stopping() {
			th.Sleep(time.Millisecond)
		}
	})
	if _, err := m.Run(context.Background(), machine.Course{Duration: 20 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	return float64(after.Mallocs-before.Mallocs) / measured
}
