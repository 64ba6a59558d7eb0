package verify

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
)

// Rates that a user sets blame no right strategy: they stay out of the scenarios
// that they invalidate, and are refused where such a one is asked for.
func TestRatesBlameNoRightStrategy(t *testing.T) {
	n := schedules(t) / 4
	for _, c := range []struct{ set, value, invalid string }{
		{"verify.retry_rate", "0.3", "order"}, {"verify.busy_rate", "0.5", "order"}, {"verify.drop_rate", "0.1", "plain"},
	} {
		set := map[string]string{c.set: c.value}
		for _, s := range dispatch.Strategies() {
			r, err := Run(context.Background(), Config{Strategy: s.Name, Seed: 1, Schedules: n, Set: set, AsFound: true})
			require.NoError(t, err)
			if r.Finding != nil {
				t.Fatalf("%s under %s=%s: %v", s.Name, c.set, c.value, r.Finding)
			}
			require.Zero(t, r.Turns[c.invalid])
			require.NotEmpty(t, r.Turns)
		}
		_, err := Run(context.Background(), Config{Strategy: "per-queue", Seed: 1, Scenarios: []string{c.invalid}, Set: set})
		require.ErrorContains(t, err, c.set)
		set[c.set] = "0" // which changes nothing
		_, err = Run(context.Background(), Config{Strategy: "per-queue", Seed: 1, Schedules: 1, Scenarios: []string{c.invalid}, Set: set})
		require.NoError(t, err)
	}
}
