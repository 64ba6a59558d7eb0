package lab

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/results"
)

// A latency that rises although the side is faster is explained by what is on
// its way at once (rate times latency), and by a thread's whole turn; one that
// falls, or rises with a slower side, is not.
func TestRisingLatencyIsExplained(t *testing.T) {
	compared := func(iops, mean float64) (about []string) {
		run := func(_ context.Context, p *experiment.Plan, _ experiment.Options) (*results.Result, error) {
			id := p.Identity()
			id.Threads = 128
			r := &results.Result{Schema: results.Schema, Experiment: id}
			noise := 1 + float64(id.Seed)/1e4
			r.IOPS, r.Latency.Mean = 60_000*noise, 1400*noise
			if id.Strategy == "ring" {
				r.IOPS, r.Latency.Mean = iops*noise, mean*noise
			}
			return r, nil
		}
		o := try(run, "compare", "host-lock", "ring", "--no-sets", "--runs", "8")
		require.Zero(t, o.status, o.stderr)
		for line := range strings.Lines(o.stdout) {
			if strings.Contains(line, "commands are on their way at once") {
				about = append(about, line)
			}
		}
		return about
	}
	rise := compared(70_000, 1500)
	require.Len(t, rise, 1)
	assert.Contains(t, rise[0], "rises by 7.1 %: 105 commands are on their way at once, 84 under host-lock")
	assert.Contains(t, rise[0], fmt.Sprintf("falls from %.0f to %.0f us", 128/60e-3/1.00045, 128/70e-3/1.00045))
	assert.Empty(t, compared(70_000, 1300), "it falls")
	assert.Empty(t, compared(50_000, 1500), "the side is slower: nothing needs a word")
}
