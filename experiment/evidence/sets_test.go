package evidence

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "hostlock/dispatch/lld"
	"hostlock/experiment"
	"hostlock/experiment/spec"
	_ "hostlock/strategies"
	_ "hostlock/workload/ffsb"
)

// One of the kept sets meets the figures that it was fitted to, today.
func TestAKeptSetFits(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 64 cores")
	}
	exp, err := spec.Load("chen-2010")
	require.NoError(t, err)
	kept, err := Kept(exp)
	require.NoError(t, err)
	set := kept.Sets[len(kept.Sets)/2]
	plan, err := experiment.NewPlan(set.Apply(exp), experiment.Request{Machine: "sim", Strategy: "host-lock", Set: set.Set})
	require.NoError(t, err)
	r, err := experiment.Run(t.Context(), plan, experiment.Options{})
	require.NoError(t, err)
	assert.InDelta(t, 62900, r.IOPS, 1887)
	assert.InDelta(t, 23.7, r.CPU.HostLock, 1.5, "another seed than the fit's")
}

func FuzzReadSets(f *testing.F) {
	f.Add([]byte(`{"schema":1,"sets":[{"sockets":2,"set":[{"name":"fs.cpu","value":"1us"}]}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ReadSets(text)
		if err == nil && len(s.Sets) == 0 {
			t.Fatal("no set, and no error")
		}
	})
}
