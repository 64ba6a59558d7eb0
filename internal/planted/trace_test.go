package planted

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/machine/explore"
	"hostlock/verify"
)

// raced are the faults that need two threads at one thing: what is printed of them
// must show both.
var raced = []string{
	"tests, then counts", "loads, then stores", "test, then decrement", "hand-made lock", "free list without a version",
	"plain countdown", "counts after it unlocked", "numbers outside the lock", "looks before it locks",
}

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

// between reports whether some thread uses a thing, another changes it, and the
// first uses it again: the pair that raced.
func between(steps []explore.Step) bool {
	type at struct{ agent, object string }
	first := map[at]int{}
	changed := map[string][]int{} // by object, where
	for i := range steps {
		s := &steps[i]
		if !s.Shared {
			continue
		}
		k := at{s.Agent, s.Object}
		if from, ok := first[k]; ok {
			for _, j := range changed[s.Object] {
				if j > from && steps[j].Agent != s.Agent {
					return true
				}
			}
		} else {
			first[k] = i
		}
		if s.Before != s.After || !s.Word {
			changed[s.Object] = append(changed[s.Object], i)
		}
	}
	return false
}

// What is shown of a race holds the race.
func TestATraceHoldsItsRace(t *testing.T) {
	if slow {
		t.Skip("without the race detector")
	}
	for i, name := range raced {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := shortened(t, name, 1)
			if f.Kind == explore.Race {
				return // its one sentence names both places
			}
			assert.True(t, between(f.Shown()), "%s: %s", f.Kind, f.What)
		})
	}
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
