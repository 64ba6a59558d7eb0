package planted

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine/explore"
	"hostlock/verify"
)

// The shortest trace of a limit that loads, then stores, is the textbook's, whatever
// the seed: under 40 lines, both loads before the first store.
func TestTheTraceOfALostUpdateIsTheTextbooks(t *testing.T) {
	seeds := uint64(20)
	switch {
	case slow:
		t.Skip("without the race detector")
	case testing.Short():
		seeds = 5
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		r, err := verify.Run(context.Background(), verify.Config{Strategy: "planted/loads, then stores", Seed: seed})
		require.NoError(t, err)
		require.NotNil(t, r.Finding, "seed %d", seed)
		shown := r.Finding.Shown()
		require.Less(t, len(shown), 40, "seed %d", seed)
		require.Positive(t, r.Finding.Switches, "seed %d", seed)

		loaded := map[string]bool{}
		var both, stored bool
		for _, s := range shown {
			if s.Object != "host_busy#1" || s.Verb != "Next" {
				continue
			}
			switch s.Op {
			case "load":
				loaded[s.Agent] = true
			case "store":
				both, stored = both || !stored && len(loaded) > 1, true
			}
		}
		require.True(t, stored, "seed %d", seed)
		require.True(t, both, "seed %d: %v", seed, lines(shown))
	}
}

func lines(steps []explore.Step) []string {
	var out []string
	for _, s := range steps {
		out = append(out, s.Agent+" "+s.Op+" "+s.Object+" "+s.Where.String())
	}
	return out
}
