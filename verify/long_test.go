package verify

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
)

// Under the shipped strategies counters may come round, no LUN starves, and every
// limit can be filled after that.
func TestTheLongRun(t *testing.T) {
	if slow {
		t.Skip("without the race detector")
	}
	for _, s := range dispatch.Strategies() {
		if testing.Short() && s.Name != "ring" {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			long, f, err := LongRun(context.Background(), Config{Strategy: s.Name, Seed: 1})
			require.NoError(t, err)
			if f != nil {
				t.Fatal(f.Kind, f.What)
			}
			assert.Equal(t, LongCommands, long.Commands)
			assert.Less(t, long.Waited, int64(starved)/2)
			t.Log(long)
		})
	}
}

// What was never contested is said of limits, too: one thread is never two at a last
// slot.
func TestLimitsThatNobodyContested(t *testing.T) {
	run := func(c Config) *Report {
		c.Strategy, c.Seed, c.Schedules, c.AsFound = "per-queue", 1, 100, true
		r, err := Run(context.Background(), c)
		require.NoError(t, err)
		require.Nil(t, r.Finding)
		return r
	}
	assert.Empty(t, run(Config{Scenarios: []string{"target"}}).Alone)
	r := run(Config{Scenarios: []string{"target"}, Threads: 1, Commands: 1})
	assert.Contains(t, r.Alone, targetLimit)
	var b bytes.Buffer
	require.NoError(t, r.Print(&b, false))
	assert.Contains(t, b.String(), targetLimit)
	assert.NotContains(t, run(Config{Scenarios: []string{"plain"}}).Alone, targetLimit, "there is none")
}

// A device that has commands waiting while those of others come back is named, and
// one that is served now and then, or has none waiting, is not.
func TestWhoStarves(t *testing.T) {
	a, b := new(dispatch.Device), new(dispatch.Device)
	for _, served := range []bool{false, true} {
		f := newFairness([]*dispatch.Device{a, b})
		f.queued(a)
		f.queued(a)
		var found *dispatch.Device
		for n := range starved + 1 {
			f.queued(b)
			f.given(b)
			if served && n == starved/2 {
				f.given(a)
			}
			found = f.done(b)
		}
		if served {
			assert.Nil(t, found)
		} else {
			assert.Same(t, a, found)
		}
	}
}
