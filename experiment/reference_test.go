package experiment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/spec"
)

// The committed profiles are what a run gives today, to the nanosecond: by
// stack and label, but for the lines of the source, which any edit moves. Where
// this fails, `make results` writes them anew, and whoever reads the change
// sees what moved.
func TestReferenceProfilesAreOfToday(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole headline, under every strategy")
	}
	const committed = "../profiles/reference"
	exp, err := spec.Load("chen-2010")
	require.NoError(t, err)
	fresh := t.TempDir()
	for _, s := range []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"} {
		_, err := do(context.Background(), exp, experiment.Request{Strategy: s, Machine: "sim"}, experiment.Options{ProfilesDir: fresh})
		require.NoError(t, err)
	}
	files, err := os.ReadDir(fresh)
	require.NoError(t, err)
	require.Len(t, files, 8)
	for _, f := range files {
		require.Equal(t, weights(t, filepath.Join(fresh, f.Name())), weights(t, filepath.Join(committed, f.Name())), f.Name())
	}
}

// weights adds a profile's values up by functions and labels.
func weights(t *testing.T, name string) map[string][]int64 {
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	p, err := profile.Parse(f)
	require.NoError(t, err)
	sums := map[string][]int64{}
	for _, s := range p.Sample {
		var key strings.Builder
		for _, l := range s.Location {
			key.WriteString(l.Line[0].Function.Name + ";")
		}
		labels := []string{}
		for k, v := range s.Label {
			labels = append(labels, fmt.Sprint(k, v))
		}
		for k, v := range s.NumLabel {
			labels = append(labels, fmt.Sprint(k, v))
		}
		slices.Sort(labels)
		k := key.String() + fmt.Sprint(labels)
		if sums[k] == nil {
			sums[k] = make([]int64, len(s.Value))
		}
		for i, v := range s.Value {
			sums[k][i] += v
		}
	}
	return sums
}
