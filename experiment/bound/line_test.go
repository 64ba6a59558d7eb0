package bound_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/bound"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
)

// With a device that takes no time, and no lock of the whole host, one counter's
// cache line is what all commands pass: cheaper lines help, and nothing else does.
func TestACacheLineBounds(t *testing.T) {
	const cores = 48
	run := func(cores, threads int, set map[string]string) (float64, string) {
		s, err := spec.Load("chen-2010")
		require.NoError(t, err)
		r := experiment.Request{
			Machine: "sim", Strategy: "per-queue", Driver: "null", Cores: cores, Threads: threads,
			Warmup: 200 * time.Microsecond, Duration: 2 * time.Millisecond,
		}
		for n, v := range map[string]string{"fs.cpu": "1us", "midlayer.section": "50ns", "midlayer.io_completion": "200ns", "midlayer.make_request": "200ns"} {
			r.Set = append(r.Set, param.Setting{Name: n, Value: v, At: param.SetFlag})
		}
		for n, v := range set {
			r.Set = append(r.Set, param.Setting{Name: n, Value: v, At: param.SetFlag})
		}
		plan, err := experiment.NewPlan(s, r)
		require.NoError(t, err)
		found, err := experiment.Run(t.Context(), plan, experiment.Options{})
		require.NoError(t, err)
		return found.IOPS, found.Bound.By
	}
	iops, by := run(cores, 2*cores, nil)
	assert.Equal(t, "host_busy", by)
	cheaper := map[string]string{}
	for n, v := range lineCosts() {
		cheaper[n] = strconv.FormatFloat(v/bound.More, 'f', 3, 64) + "ns"
	}
	lines, _ := run(cores, 2*cores, cheaper)
	assert.Greater(t, lines, 1.15*iops)
	for what, more := range map[string]struct {
		cores, threads int
		set            map[string]string
	}{
		bound.CPU:      {cores * 5 / 4, 2 * cores, nil},
		bound.Load:     {cores, 2 * cores * 5 / 4, nil},
		bound.CanQueue: {cores, 2 * cores, map[string]string{"host.can_queue": "319"}},
	} {
		got, _ := run(more.cores, more.threads, more.set)
		assert.Less(t, got, 1.03*iops, what)
	}
}
