package plot

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/results"
)

// A ceiling is drawn for what bounds lines, with its name; a lock and the load are
// none, and one place counts only where there is nothing else.
func TestCeilings(t *testing.T) {
	s := collapse([]int{1, 4, 16, 64})
	bounds := []string{"load", "cpu", "host.can_queue", "host.can_queue", "load", "host_lock", "host_lock", results.NoSingleBound}
	for i, by := range bounds {
		s.Points[i].Bound = &results.Bound{By: by, Limit: 90e3}
	}
	c, err := New(s)
	require.NoError(t, err)
	require.Len(t, c.ceilings, 1)
	assert.Equal(t, ceiling{"host.can_queue", []xy{{16, 90}, {64, 90}}}, c.ceilings[0])
	assert.Contains(t, string(drawn(t, s, "svg")), "ceiling: host.can_queue")

	s.Points[3].Bound = nil
	s.Points[1].Bound = nil
	c, err = New(s)
	require.NoError(t, err)
	require.Len(t, c.ceilings, 1)
	assert.Equal(t, []xy{{4, 90}, {64, 90}}, c.widened(c.ceilings[0]), "a single place is widened to its neighbours")
}
