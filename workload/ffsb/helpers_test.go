package ffsb

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/dispatch/lld"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	_ "hostlock/strategies"
	"hostlock/workload"
)

// bench is a system on a simulated machine with a workload on it.
type bench struct {
	strategy, driver string // host-lock and null where empty
	cores, luns      int    // 4 each where 0
	seed             uint64
	threads          int
	scale            float64
	set              map[string]string
	warmup, duration time.Duration // duration 20 ms where 0
}

func (b bench) defaults() bench {
	or := func(s *string, d string) {
		if *s == "" {
			*s = d
		}
	}
	or(&b.strategy, "host-lock")
	or(&b.driver, "null")
	if b.cores == 0 {
		b.cores = 4
	}
	if b.luns == 0 {
		b.luns = 4
	}
	if b.duration == 0 {
		b.duration = 20 * time.Millisecond
	}
	return b
}

// params declares everything that a run reads and sets what the test wants.
func (b bench) params(t testing.TB, w workload.Workload) *param.Set {
	p, err := dispatch.NewParams(b.driver)
	require.NoError(t, err)
	p.Declare(w.Params()...)
	for name, value := range b.set {
		require.NoError(t, p.Set(name, value))
	}
	return p
}

// ran is what a run left behind.
type ran struct {
	*run
	sys  *dispatch.System
	acct *machine.Account
}

// load sets a workload up; the machine has not run yet.
func (b bench) load(t testing.TB, w workload.Workload) (*sim.Sim, *ran, error) {
	t.Helper()
	m, err := sim.New(sim.Config{Cores: b.cores, Seed: b.seed, Costs: sim.DefaultCosts()})
	require.NoError(t, err)
	p := b.params(t, w)
	sys, err := dispatch.New(m, dispatch.Config{Strategy: b.strategy, Driver: b.driver, Params: p, Targets: b.luns})
	require.NoError(t, err)
	r, err := w.Start(workload.Env{Machine: m, System: sys, Params: p, Threads: b.threads, Scale: b.scale})
	if err != nil {
		return m, nil, err
	}
	return m, &ran{run: r.(*run), sys: sys}, nil
}

// run runs a workload to the end of its window.
func (b bench) run(t testing.TB, w workload.Workload) *ran {
	t.Helper()
	b = b.defaults()
	m, r, err := b.load(t, w)
	require.NoError(t, err)
	r.acct, err = m.Run(context.Background(), machine.Course{
		Warmup: b.warmup, Duration: b.duration,
		Begin: func() { r.sys.BeginWindow(); r.BeginWindow() },
		End:   func() { r.sys.EndWindow(); r.EndWindow() },
	})
	require.NoError(t, err)
	require.Zero(t, r.sys.Ledger().Lost)
	return r
}

// of reads a profile from its text.
func of(t testing.TB, text string) workload.Workload {
	t.Helper()
	w, err := workload.Parse("test.ffsb", []byte(text))
	require.NoError(t, err)
	return w
}

func builtin(t testing.TB, name string) workload.Workload {
	t.Helper()
	w, err := workload.Load(name)
	require.NoError(t, err)
	return w
}

// counts is a run's operations by name.
func (r *ran) counts() map[string]int64 {
	out := map[string]int64{}
	for _, c := range r.Operations() {
		out[c.Name] = c.Value
	}
	return out
}
