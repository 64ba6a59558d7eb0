package planted

import (
	"context"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/verify"
)

// What is found by running order after order without cutting, or by random
// orders of so small a load, is found by the search that cuts orders which equal
// another, too.
func TestCuttingLosesNoFault(t *testing.T) {
	most := 1000
	switch {
	case slow:
		t.Skip("without the race detector")
	case testing.Short():
		most = 200
	}
	found := 0
	for _, f := range Faults() {
		if f.Told || f.Long {
			continue // no order of so few commands shows it
		}
		cfg := verify.Config{
			Strategy: f.Registered(), Mistake: f.Mistake, Strict: f.Strict, AsFound: true, Seed: 1,
			Threads: 2, Commands: 1, LUNs: 2, CanQueue: 1, Scenarios: []string{"plain"},
			// As in an exhaustive run, which could draw nothing.
			Set: map[string]string{"verify.inline_rate": "0", "verify.device_rate": "1"},
		}
		maps.Copy(cfg.Set, f.Set)
		run := func(exhaustive, noCut bool, schedules int) *verify.Report {
			c := cfg
			c.Exhaustive, c.NoCut, c.Schedules = exhaustive, noCut, schedules
			r, err := verify.Run(context.Background(), c)
			require.NoError(t, err)
			return r
		}
		r := run(true, true, most)
		if r.Finding == nil {
			if r = run(false, false, most); r.Finding == nil {
				continue
			}
		}
		const reused = 16 // schedules share a system where they are drawn
		if g := r.Finding; g.Schedule == "" || !r.Config.Exhaustive && !g.Alone && g.Index%reused != 0 {
			continue // it takes more commands than two
		}
		found++
		cut := run(true, false, 0)
		require.NotNil(t, cut.Finding, "%s: %s", f.Name, r.Finding.What)
		t.Logf("%s: %s after %d orders, %s after %d and %d cut", f.Name, r.Finding.Kind, r.Explored.Schedules, cut.Finding.Kind, cut.Explored.Schedules, cut.Explored.Cut)
	}
	require.Greater(t, found, 10)
	t.Logf("%d faults", found)
}
