package planted

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/dispatch/lld"
	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/results"
	"hostlock/verify"
	_ "hostlock/workload/ffsb"
)

// quietEnd is ring of somebody else's, whose End does nothing, as ring's own does.
type quietEnd struct{ dispatch.Strategy }

func (*quietEnd) End(*machine.Thread, *dispatch.Command) {}

const ownRing = "planted/no fault: an End that does nothing"

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{Name: ownRing, New: wrap("ring", func(s dispatch.Strategy) dispatch.Strategy {
		return &quietEnd{s}
	})})
}

// headline runs the headline under a strategy, on four cores and with two slots.
func headline(t *testing.T, strategy string) (*results.Result, error) {
	t.Helper()
	exp, err := spec.Load("chen-2010")
	require.NoError(t, err)
	var set []param.Setting
	for _, text := range []string{"scale=0.05", "host.can_queue=2"} {
		v, err := param.ParseSetting(text)
		require.NoError(t, err)
		set = append(set, v)
	}
	p, err := experiment.NewPlan(exp, experiment.Request{Strategy: strategy, Machine: "sim", Cores: 4, Duration: 5 * time.Millisecond, Set: set})
	require.NoError(t, err)
	return experiment.Run(context.Background(), p, experiment.Options{})
}

// A lock or an atomic of Go's own costs nothing in virtual time, which every result
// says, and verify finds; a verb that has nothing to do costs nothing either, and
// nobody blames it.
func TestWhatCostsNothing(t *testing.T) {
	for strategy, found := range map[string]bool{
		"planted/foreign mutex": true, "planted/foreign atomic": true, ownRing: false, Sound: false, "per-queue": false,
	} {
		r, err := headline(t, strategy)
		require.NoError(t, err)
		said := ""
		for _, w := range r.Warnings {
			if strings.Contains(w, "made no machine operation") {
				said += w
			}
		}
		require.Equal(t, found, said != "", "%s: %q", strategy, said)
		require.Equal(t, found, strings.Contains(said, "Take"), "%s: %q", strategy, said)

		v, err := verify.Run(context.Background(), verify.Config{Strategy: strategy, Seed: 1, Schedules: 100, AsFound: true})
		require.NoError(t, err)
		require.Equal(t, found, v.Finding != nil && v.Finding.Kind == verify.Free, "%s: %v", strategy, v.Finding)
	}
}

// A run of a strategy that turns in a loop for ever ends with the line that says
// so, and soon.
func TestALivelockEndsTheRun(t *testing.T) {
	_, err := headline(t, "planted/never released")
	var l *sim.Livelock
	require.ErrorAs(t, err, &l)
	require.Equal(t, "host_word", l.Line)
	require.Equal(t, "strategy planted/never released", l.Code)
}
