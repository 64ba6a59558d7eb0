package ffsb

import (
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/workload"
	"hostlock/workload/ffsb/profile"
)

// Look-alikes of each generation run, and do all that they say.
func TestEachGenerationRuns(t *testing.T) {
	for file, gen := range map[string]profile.Generation{
		"flat_a.ffsb": profile.GenA, "ordered_b.ffsb": profile.GenB, "everything_c.ffsb": profile.GenC,
	} {
		t.Run(file, func(t *testing.T) {
			w, err := workload.Load(filepath.Join("testdata", file))
			require.NoError(t, err)
			require.Equal(t, gen, w.(*ffsb).conf.Generation)
			r := bench{driver: "null", duration: 200 * time.Millisecond, set: map[string]string{"device.capacity": "64m"}}.run(t, w)
			require.NoError(t, r.Err())
			n := r.counts()
			for _, op := range profile.Ops() {
				if r.does(op) {
					require.Positive(t, n[op.String()+".calls"], "%s", op)
					require.Positive(t, n[op.String()+".transactions"], "%s", op)
				}
			}
			require.Equal(t, w.Threads(), r.Threads())
			require.NoError(t, r.NativeReport(io.Discard, time.Second))
		})
	}
}

// The headline is in the form that FFSB 6.0 itself takes: nothing about it is
// worth a warning.
func TestHeadlineIsGenerationC(t *testing.T) {
	w := builtin(t, "headline")
	p := w.(*ffsb).conf
	require.Equal(t, profile.GenC, p.Generation)
	require.Empty(t, p.Warnings)
	bound := map[int]bool{}
	for _, g := range p.Groups {
		bound[g.BindFS.V] = true
	}
	require.Len(t, bound, 16, "a group for each SSD")
	require.Equal(t, time.Minute, w.Duration())
}
