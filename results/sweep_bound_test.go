package results

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A sweep's table and its CSV say what bounds each row; a sweep of an earlier
// program, which does not know, has no such column.
func TestASweepSaysWhatBoundsItsRows(t *testing.T) {
	s := &Sweep{Definition: SweepDef{Experiment: "toy", Strategies: []string{"ring"}, Cores: []int{1, 2}, Seeds: []uint64{1, 2}}, Points: []SweepPoint{
		{Strategy: "ring", Cores: 1, Seed: 1, IOPS: 1000}, {Strategy: "ring", Cores: 1, Seed: 2, IOPS: 1000},
		{Strategy: "ring", Cores: 2, Seed: 1, IOPS: 2000}, {Strategy: "ring", Cores: 2, Seed: 2, IOPS: 2000},
	}}
	write := func(format string) string {
		f, err := SweepFormat(format)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, s))
		return b.String()
	}
	assert.NotContains(t, write("text"), "  bound")
	assert.NotContains(t, write("csv"), ",bound")
	for i, by := range []string{"load", "load", "load", "cpu"} {
		s.Points[i].Bound = &Bound{By: by, Limit: 1234.5}
	}
	text := strings.Split(write("text"), "\n")
	assert.True(t, strings.HasSuffix(text[len(text)-4], "load"), text)
	assert.True(t, strings.HasSuffix(text[len(text)-3], mixedBounds), text)
	assert.Contains(t, write("csv"), ",cpu,1234.5")
	read, err := ReadSweep([]byte(write("json")))
	require.NoError(t, err)
	assert.Equal(t, "cpu", read.Points[3].Bound.By)
}
