package experiment_test

import (
	"testing"
	"time"

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

// On a device that takes no time the designs differ. One place that every core
// waits for, be it the host lock, a lock around nothing but a count, or the head of
// a ring, makes 64 cores slower than 16; one access a command to a count does not,
// and is ahead of all three by far. The three among themselves are close to one
// another, and which of them is ahead is the line model's word: nothing is said
// of it, but that the shorter section is the faster one.
func TestFastDeviceTellsDesignsApart(t *testing.T) {
	exp, err := spec.Load("fast-device")
	require.NoError(t, err)
	for _, p := range exp.Parameters {
		assert.False(t, p.Fitted, p.Name)
		assert.NotEmpty(t, p.Source, p.Name)
	}
	few, many := map[string]float64{}, map[string]float64{}
	for _, s := range []string{"host-lock", "locked-limit", "ring", "per-queue"} {
		for cores, to := range map[int]map[string]float64{16: few, 64: many} {
			r, err := do(t.Context(), exp, experiment.Request{Strategy: s, Cores: cores, Duration: 5 * time.Millisecond})
			require.NoError(t, err)
			t.Logf("%-15s %3d cores %10.0f IOPS, contention %.1f %%", s, cores, r.IOPS, r.CPU.Contention)
			to[s] = r.IOPS
		}
	}
	for _, s := range []string{"host-lock", "locked-limit", "ring"} {
		assert.Less(t, many[s], few[s], "%s collapses", s)
		assert.Greater(t, many["per-queue"], 5*many[s], "per-queue is ahead of %s", s)
	}
	assert.Greater(t, many["per-queue"], few["per-queue"])
	assert.Greater(t, many["locked-limit"], many["host-lock"])
}
