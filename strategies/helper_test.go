package strategies_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/dispatch/lld"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/sim"
	_ "hostlock/strategies"
)

var all = []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"}

// each runs a test under every strategy.
func each(t *testing.T, fn func(t *testing.T, strategy string)) {
	for _, s := range all {
		t.Run(s, func(t *testing.T) { fn(t, s) })
	}
}

type set map[string]string

// setup is a system on a simulated machine.
type setup struct {
	strategy, driver string
	cores            int
	hosts, targets   int
	luns             int
	seed             uint64
	set              set
}

func (s setup) make(t testing.TB) (*sim.Sim, *dispatch.System) {
	t.Helper()
	if s.driver == "" {
		s.driver = "mptsas"
	}
	if s.cores == 0 {
		s.cores = 4
	}
	m, err := sim.New(sim.Config{Cores: s.cores, Sockets: min(s.cores, 2), Seed: s.seed, Costs: sim.DefaultCosts()})
	require.NoError(t, err)
	p, err := dispatch.NewParams(s.driver)
	require.NoError(t, err)
	for k, v := range s.set {
		require.NoError(t, p.Set(k, v))
	}
	sys, err := dispatch.New(m, dispatch.Config{Strategy: s.strategy, Driver: s.driver, Params: p, Hosts: s.hosts, Targets: s.targets, LUNs: s.luns})
	require.NoError(t, err)
	return m, sys
}

// run lets the machine run for a time after everything was set up.
func run(t testing.TB, m machine.Machine, sys *dispatch.System, d time.Duration) *machine.Account {
	t.Helper()
	a, err := m.Run(context.Background(), machine.Course{Warmup: d / 10, Duration: d, Begin: sys.BeginWindow, End: sys.EndWindow, Drain: 2 * time.Second})
	require.NoError(t, err)
	return a
}

// closed checks what must hold after every run.
func closed(t testing.TB, sys *dispatch.System) tally.Counts {
	t.Helper()
	l := sys.Ledger()
	require.Zero(t, l.Lost, "%+v", l)
	require.Zero(t, l.Duplicates)
	require.Empty(t, sys.LimitViolations())
	return l
}

// writers adds n threads that write at random until the machine stops.
func writers(m machine.Machine, sys *dispatch.System, n int, think time.Duration) {
	for i := range n {
		m.Go("writer-"+string(rune('a'+i%26))+string(rune('a'+i/26)), i%m.Cores(), false, func(t *machine.Thread) {
			iss := sys.NewIssuer(t)
			devs := sys.Devices()
			dev := devs[i%len(devs)]
			for !m.Stopping() {
				t.Work(machine.Dist{Mean: think, Shape: machine.Exponential}.Draw(t.Rand()))
				_ = iss.Do(t, dev, dispatch.Write, t.Rand().Int64N(1<<20)*8, 8, 1, nil)
			}
		})
	}
}

// virtualOnly leaves a test out of short runs, which are those under the race
// detector: it slows virtual time twentyfold and can see nothing there.
func virtualOnly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long in virtual time")
	}
}

// dropsLock reports whether a strategy drops the host lock before queuecommand.
func dropsLock(t *testing.T, strategy string) bool {
	t.Helper()
	s, err := dispatch.LookupStrategy(strategy)
	require.NoError(t, err)
	return s.DropsHostLock
}
