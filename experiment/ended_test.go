package experiment_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/results"
)

// small is a run that takes a moment, with faults.
func small(set ...string) experiment.Request {
	return experiment.Request{
		Machine: "sim", Strategy: "host-lock", Cores: 4, Threads: 8, Duration: 200 * time.Millisecond, Set: settings(set...),
	}
}

// A load that ends before its time is measured until then, and every format of
// figures says so.
func TestALoadThatEndsEarlyIsPartial(t *testing.T) {
	exp := headline(t)
	whole, err := do(context.Background(), exp, small())
	require.NoError(t, err)
	assert.False(t, whole.Partial)
	assert.Empty(t, whole.Ended)
	// The warm-up is 100 ms.
	r, err := do(context.Background(), exp, small("host.remove_at=150ms"))
	require.ErrorContains(t, err, "workload: ")
	require.NotNil(t, r)
	assert.True(t, r.Partial)
	assert.InDelta(t, 0.05, r.Experiment.Duration, 0.01)
	assert.InEpsilon(t, whole.IOPS, r.IOPS, 0.1, "a rate of the time that was measured")
	assert.Contains(t, r.Ended, "the workload ended after 5")
	assert.Contains(t, r.Warnings, r.Ended)
	for _, name := range []string{"text", "json", "csv", "markdown"} {
		f, err := results.Format(name)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, f.Result(&b, r))
		assert.Contains(t, b.String(), "the workload ended after", name)
		assert.NotContains(t, b.String(), "PARTIAL: interrupted", name)
	}
}

func TestALoadThatEndsInTheWarmUpHasNoFigures(t *testing.T) {
	r, err := do(context.Background(), headline(t), small("host.remove_at=50ms"))
	require.ErrorContains(t, err, "nothing was measured: the workload ended in the warm-up: ")
	assert.Nil(t, r)
}
