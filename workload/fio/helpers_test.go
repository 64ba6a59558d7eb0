package fio

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/dispatch/lld"
	"hostlock/machine"
	"hostlock/machine/sim"
	_ "hostlock/strategies"
	"hostlock/workload"
)

// trial is a run of a command line to its end, or for a time.
type trial struct {
	line string
	luns int
	time time.Duration
	set  map[string]string
	all  bool // trace
}

// done is what an operation was.
type done struct {
	thread, dir, file int
	off, n            int64
	at                time.Duration
}

// run carries the trial out on four cores over a RAM disk, without a warm-up.
func (c trial) run(t testing.TB) (*run, []done, *dispatch.System, *machine.Account) {
	t.Helper()
	w, err := workload.Load(c.line)
	require.NoError(t, err)
	m, err := sim.New(sim.Config{Cores: 4, Seed: 7, Costs: sim.DefaultCosts()})
	require.NoError(t, err)
	p, err := dispatch.NewParams("ramdisk")
	require.NoError(t, err)
	p.Declare(w.Params()...)
	if c.time == 0 {
		require.NoError(t, p.Set("fio.end", "stop"))
		c.time = 1000 * time.Second
	}
	for k, v := range c.set {
		require.NoError(t, p.Set(k, v), k)
	}
	sys, err := dispatch.New(m, dispatch.Config{Strategy: "per-queue", Driver: "ramdisk", Params: p, Targets: max(c.luns, 1)})
	require.NoError(t, err)
	r, err := w.(*load).start(workload.Env{Machine: m, System: sys, Params: p})
	require.NoError(t, err)
	var ops []done
	if c.all {
		r.trace = func(th *thread, op *operation) {
			ops = append(ops, done{th.number, op.dir, op.file, op.off, op.n, th.t.Now()})
		}
	}
	acct, err := m.Run(context.Background(), machine.Course{Duration: c.time,
		Begin: func() { sys.BeginWindow(); r.BeginWindow() }, End: func() { sys.EndWindow(); r.EndWindow() }})
	require.NoError(t, err)
	require.NoError(t, r.Err())
	require.Zero(t, sys.Ledger().Lost)
	require.Empty(t, sys.LimitViolations())
	return r, ops, sys, acct
}

// offsets are those of a direction, in units.
func offsets(ops []done, dir int, unit int64) []int64 {
	var out []int64
	for _, o := range ops {
		if o.dir == dir {
			out = append(out, o.off/unit)
		}
	}
	return out
}
