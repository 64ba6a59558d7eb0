package results

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A sampling error beside a figure that neighbours took part in would pass for
// the whole error.
func TestADisturbedRunShowsNoSamplingError(t *testing.T) {
	for others, disturbed := range map[float64]bool{-1: false, 0.02: false, 0.1: false, 1.61: true} {
		r := &Result{Experiment: Identity{Name: "x", Machine: "live", Cores: 2, Duration: 1}}
		r.CPU.HostLock, r.CPU.Busy = 24.5, 100
		r.CPU.Budget.Set("spin.host_lock", 24.5)
		r.Live = &Live{Samples: 4000, Rate: 100, Scale: 1, Neighbours: others}
		var text, csv bytes.Buffer
		require.NoError(t, WriteReport(&text, r, View{Full: true}))
		var brief bytes.Buffer
		require.NoError(t, writeText(&brief, r))
		assert.Equal(t, !disturbed, strings.Contains(brief.String(), "24.50 ±0.68"))
		assert.Equal(t, disturbed, strings.Contains(brief.String(), "DISTURBED"))
		require.NoError(t, writeCSV(&csv, r))
		if disturbed {
			assert.Contains(t, text.String(), "24.50 disturbed")
			assert.NotContains(t, text.String(), "±")
			assert.NotContains(t, csv.String(), "host_lock_pct_stderr")
			continue
		}
		assert.Contains(t, text.String(), "24.50 ±0.68", others)
		assert.NotContains(t, text.String(), "disturbed", others)
		assert.Contains(t, csv.String(), "host_lock_pct_stderr", others)
	}
}
