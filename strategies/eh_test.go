package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/sim"
	"hostlock/strategies"
)

// ehSet turns error handling on with times in milliseconds: a timeout of 30 ms,
// settling and probes of 10 ms.
func ehSet(more set) set {
	s := set{"midlayer.error_handling": "true", "midlayer.eh_scale": "0.001"}
	for k, v := range more {
		s[k] = v
	}
	return s
}

// TestTimersAreOffByDefault: without being asked for, nothing times out.
func TestTimersAreOffByDefault(t *testing.T) {
	script = &scripted{latency: 40 * time.Second}
	m, sys := setup{strategy: "ring", driver: "scripted"}.make(t)
	m.Go("story", 0, false, func(th *machine.Thread) {
		iss := sys.NewIssuer(th)
		require.NoError(t, iss.Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil))
	})
	_, err := m.Run(t.Context(), machine.Course{Duration: time.Second, Begin: sys.BeginWindow, End: sys.EndWindow, Drain: 60 * time.Second})
	require.NoError(t, err)
	require.Zero(t, sys.ErrorCounts())
}

// bare is a strategy without what error handling needs of one.
type bare struct{ dispatch.Strategy }

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name: "bare", About: "for tests: per-queue without a Recoverer",
		New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			return bare{strategies.NewPerQueue(h, strategies.NewCounter("host_busy", h.Template.CanQueue))}, nil
		},
	})
}

// TestNoRecoverer: a strategy under which errors cannot be handled is refused
// where they are to be, and works where they are not.
func TestNoRecoverer(t *testing.T) {
	for _, on := range []string{"true", "false"} {
		m, err := sim.New(sim.Config{Cores: 2, Sockets: 1, Seed: 1, Costs: sim.DefaultCosts()})
		require.NoError(t, err)
		p, err := dispatch.NewParams("null")
		require.NoError(t, err)
		require.NoError(t, p.Set("midlayer.error_handling", on))
		_, err = dispatch.New(m, dispatch.Config{Strategy: "bare", Driver: "null", Params: p})
		if on == "false" {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, dispatch.ErrNoRecoverer)
			require.EqualError(t, err, "strategy bare cannot run with midlayer.error_handling: it is no dispatch.Recoverer")
		}
		_, _ = m.Run(t.Context(), machine.Course{}) // the daemons end with it
	}
}
