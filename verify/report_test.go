package verify

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// No finding is worth what the whole run promises, which is less for a fault that
// one scenario alone shows.
func TestTheReportSaysWhatNoFindingIsWorth(t *testing.T) {
	r, err := Run(context.Background(), Config{Strategy: "per-queue", Seed: 1, Schedules: 200, Threads: 2, Commands: 1})
	require.NoError(t, err)
	every, least, name := r.chance()
	assert.NotEmpty(t, name)
	one := r.Explored.Probability(2)
	assert.Greater(t, every, least)
	assert.Greater(t, every, 10*one)
	assert.Less(t, every, 100*one+1e-9, "half of the schedules are PCT")
	var b bytes.Buffer
	require.NoError(t, r.Print(&b, false))
	assert.Contains(t, b.String(), "2 threads of 1 command, 2 LUNs, 2 host slots\n")
	assert.Contains(t, b.String(), "only "+name+" shows, which was run least: no finding is no proof")
	assert.Equal(t, every, r.Summary().ChanceEvery)
}
