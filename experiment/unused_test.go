package experiment_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
)

// A load that has files on four disks leaves twelve of sixteen LUNs idle, and
// the result says which.
func TestIdleLUNsAreNamed(t *testing.T) {
	idle := func(workload string) []string {
		r, err := do(t.Context(), headline(t), experiment.Request{
			Machine: "sim", Strategy: "per-queue", Workload: workload, Cores: 4, Duration: 20 * time.Millisecond,
		})
		require.NoError(t, err)
		var out []string
		for _, w := range r.Warnings {
			if strings.Contains(w, "LUN") {
				out = append(out, w)
			}
		}
		return out
	}
	assert.Empty(t, idle("headline"))
	notes := idle("randwrite")
	require.Len(t, notes, 1)
	assert.Contains(t, notes[0], "12 of 16 LUNs")
	assert.Contains(t, notes[0], "0:0:4:0 to 0:0:15:0")
}
