package planted

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/verify"
)

// shortened is the finding of a fault, cut down as a user has it.
func shortened(t *testing.T, name string, seed uint64) *verify.Finding {
	t.Helper()
	for _, f := range Faults() {
		if f.Name != name {
			continue
		}
		r, err := verify.Run(context.Background(), verify.Config{Strategy: f.Registered(), Schedules: most, Seed: seed, Set: f.Set, Strict: f.Strict})
		require.NoError(t, err)
		require.NotNil(t, r.Finding, "%s: not found under seed %d", name, seed)
		return r.Finding
	}
	t.Fatalf("no fault %q", name)
	return nil
}

// The textbook's lost update is shown as the textbook has it, whatever the seed: in
// less than a screen, both loads before the first store.
func TestTheTextbookTrace(t *testing.T) {
	seeds := uint64(20)
	switch {
	case slow:
		t.Skip("without the race detector")
	case testing.Short():
		seeds = 3
	}
	for seed := range seeds {
		f := shortened(t, "loads, then stores", seed+1)
		var b bytes.Buffer
		require.NoError(t, f.Print(&b, false))
		assert.Less(t, strings.Count(b.String(), "\n"), 40, "seed %d:\n%s", seed+1, &b)
		loads, agents := 0, map[string]bool{}
		for _, s := range f.Shown() {
			if !s.Word || !strings.HasPrefix(s.Object, "host_busy") {
				continue
			}
			if s.Op == "store" {
				break
			}
			if s.Op == "load" && s.Before == 0 {
				loads++
				agents[s.Agent] = true
			}
		}
		assert.Len(t, agents, 2, "seed %d: %d loads before the first store\n%s", seed+1, loads, &b)
	}
}
