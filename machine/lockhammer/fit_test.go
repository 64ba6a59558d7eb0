package lockhammer

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/machine/sim"
)

var update = flag.Bool("update", false, "write ../../results/reference/x86-3.md anew")

// TestFit: what fit.go keeps is what the rows of FIT.md give.
func TestFit(t *testing.T) {
	long(t)
	rows, err := Rows()
	require.NoError(t, err)
	v, err := Fit(rows)
	require.NoError(t, err)
	require.Equal(t, Fitted, v)
}

// The host's cost table is the one that was fitted.
func TestTable(t *testing.T) {
	list, err := spec.LoadCosts("x86-lockhammer-2s")
	require.NoError(t, err)
	set := param.New()
	set.Declare(sim.Params()...)
	for _, v := range list {
		require.NoError(t, set.Apply(v))
	}
	require.Equal(t, Fitted.Costs(), sim.CostsFrom(set))
}

// TestX86 holds the model against every row, and the written table against both.
func TestX86(t *testing.T) {
	long(t)
	rows, err := Rows()
	require.NoError(t, err)
	all, err := Judge(rows, Fitted)
	require.NoError(t, err)
	ahead, err := Ahead(rows)
	require.NoError(t, err)
	missed := map[string]int{}
	for _, v := range all {
		if v.Role == Judges && !v.Good {
			missed[missing(v)]++
		}
	}
	require.NotContains(t, missed, "unknown", "every miss has a mechanism that is missing")
	for _, v := range all {
		if v.Critical > 0 && v.Lock != "swap_mutex" {
			require.True(t, v.Good, "%+v", v)
		}
	}
	for _, r := range ahead {
		if r.Threads == 32 {
			require.Less(t, r.High/r.Low, 2.0, r.Lock)
		}
	}
	var text bytes.Buffer
	require.NoError(t, Markdown(&text, Fitted, all, ahead))
	const name = "../../results/reference/x86-3.md"
	if *update {
		require.NoError(t, os.WriteFile(name, text.Bytes(), 0o644))
	}
	kept, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(kept), text.String(), "go test ./machine/lockhammer -update writes it anew")
}

// long leaves a test out of short runs, which are those under the race detector:
// coroutines are one goroutine's work, so it could see nothing.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("seconds, and virtual time has no races")
	}
}
