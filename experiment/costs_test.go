package experiment_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment/spec"
	"hostlock/machine/calibrate"
	"hostlock/machine/computer"
)

// What calibration doubted is still doubted by the run that reads the file.
func TestARunSaysThatItsCostTableIsDoubtful(t *testing.T) {
	steady := calibrate.Figure{Median: 10, Low: 9.9, High: 10.1, Repetitions: 15}
	shaky := calibrate.Figure{Median: 500, Low: 100, High: 2000, Repetitions: 15}
	for _, c := range []struct {
		sw     calibrate.Figure
		beside computer.Neighbours
		want   []string
	}{
		{steady, computer.Neighbours{Known: true, CPU: 0.01}, nil},
		{shaky, computer.Neighbours{Known: true, CPU: 0.01}, []string{"cost.switch"}},
		{steady, computer.Neighbours{Known: true, CPU: 1.6}, []string{"other processes"}},
		{shaky, computer.Neighbours{Known: true, CPU: 1.6}, []string{"cost.switch", "other processes"}},
	} {
		var b bytes.Buffer
		require.NoError(t, spec.WriteCosts(&b, spec.CostsOf(&calibrate.Result{Add: steady, Switch: c.sw, Neighbours: c.beside}), nil))
		name := filepath.Join(t.TempDir(), "costs.toml")
		require.NoError(t, os.WriteFile(name, b.Bytes(), 0o600))
		o := small()
		var err error
		o.Costs, err = spec.LoadCosts(name)
		require.NoError(t, err)
		r, err := do(context.Background(), headline(t), o)
		require.NoError(t, err)
		assert.Equal(t, c.want != nil, said(r, "the cost table is doubtful"), "%q", r.Warnings)
		for _, part := range c.want {
			assert.True(t, said(r, "the cost table is doubtful", part), "%q", r.Warnings)
		}
	}
}
