package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/strategies"
)

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name: "locked-limit", About: "per-queue, whose host limit is a count under a spinlock", Recovers: true,
		New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			l := &lockedLimit{limit: h.Template.CanQueue, line: machine.NewLine("locked_limit")}
			l.lock.Init(h.Machine(), "limit_lock")
			return strategies.NewPerQueue(h, l), nil
		},
	})
}

// lockedLimit is the shortest section there can be: a count, and a test of it.
type lockedLimit struct {
	lock  machine.SpinLock
	line  *machine.Line
	taken int
	limit int
}

func (l *lockedLimit) under(t *machine.Thread, f func()) {
	strategies.LockIRQ(t, &l.lock)
	t.Touch(l.line)
	f()
	strategies.UnlockIRQ(t, &l.lock)
}

func (l *lockedLimit) Take(t *machine.Thread) (ok bool) {
	l.under(t, func() {
		if ok = l.taken < l.limit; ok {
			l.taken++
		}
	})
	return ok
}

func (l *lockedLimit) Give(t *machine.Thread) { l.under(t, func() { l.taken-- }) }

func (l *lockedLimit) Taken(t *machine.Thread) (n int) {
	l.under(t, func() { n = l.taken })
	return n
}

func (l *lockedLimit) Full(t *machine.Thread) bool  { return l.Taken(t) >= l.limit }
func (l *lockedLimit) Alone(t *machine.Thread) bool { return l.Taken(t) == 1 }

// On a device that takes no time the designs differ: at 64 cores every one that
// has a place where cores wait for each other is below its own figure at 16,
// and the one that has none has four times its own.
func TestFastDeviceTellsDesignsApart(t *testing.T) {
	exp, err := spec.Load("fast-device")
	require.NoError(t, err)
	for _, p := range exp.Parameters {
		assert.False(t, p.Fitted, p.Name)
		assert.NotEmpty(t, p.Source, p.Name)
	}
	at := func(strategy string, cores int) float64 {
		r, err := do(t.Context(), exp, experiment.Request{Strategy: strategy, Cores: cores, Duration: 5_000_000})
		require.NoError(t, err)
		t.Logf("%-15s %3d cores %10.0f IOPS, contention %.1f %%", strategy, cores, r.IOPS, r.CPU.Contention)
		return r.IOPS
	}
	ordered := []string{"host-lock", "locked-limit", "ring", "per-queue"}
	var last float64
	for _, s := range ordered {
		few, many := at(s, 16), at(s, 64)
		assert.Greater(t, many, last, s)
		last = many
		if s == "per-queue" {
			assert.Greater(t, many, 3*few, s)
		} else {
			assert.Less(t, many, few, s)
		}
	}
}
