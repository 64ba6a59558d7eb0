package derive_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hostlock/experiment/derive"
	"hostlock/experiment/spec"
	"hostlock/results"
)

func headline(t testing.TB) *spec.Spec {
	t.Helper()
	exp, err := spec.Load("chen-2010")
	require.NoError(t, err)
	return exp
}

// quickLoad is a derivation that costs no simulation: nothing in these tests
// hangs on how much is spun.
func quickLoad() *derive.Derivation {
	return &derive.Derivation{
		Cores: 2, Scale: 10, Work: 240 * time.Microsecond, Section: 8 * time.Microsecond,
		QueueCommand: 90 * time.Microsecond, Outside: 118 * time.Microsecond, Latency: 5 * time.Millisecond,
		Targets: derive.Targets{Before: 23.7, After: 1.8, Gain: 10.6},
	}
}

// ignoreProfiler is the runtime's own, which ends a little after a profile.
var ignoreProfiler = goleak.IgnoreTopFunction("runtime/pprof.profileWriter")

func TestLivePairs(t *testing.T) {
	defer goleak.VerifyNone(t, ignoreProfiler)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir := t.TempDir()
	opts := derive.PairOptions{Pairs: 2, Each: 300 * time.Millisecond, Derivation: quickLoad(), ProfilesDir: dir}
	last := 0.0
	var order []string
	opts.Progress = func(what string, done float64) {
		assert.GreaterOrEqual(t, done, last)
		last = done
		if len(order) == 0 || order[len(order)-1] != what {
			order = append(order, what)
		}
	}
	p, err := derive.LivePairs(ctx, headline(t), opts)
	require.NoError(t, err)
	require.Len(t, p.Runs, 2)
	assert.Equal(t, []string{"host-lock", "unlocked-qcmds", "host-lock", "unlocked-qcmds"}, order)
	burn := map[float64]bool{}
	for _, r := range p.Runs {
		burn[r.Before.Live.Burn], burn[r.After.Live.Burn] = true, true
	}
	assert.Len(t, burn, 1, "one calibration serves all runs of a comparison")
	files, err := filepath.Glob(filepath.Join(dir, "*.cpu.pb.gz"))
	require.NoError(t, err)
	assert.Len(t, files, 2)
	m, err := p.Medians()
	require.NoError(t, err)
	assert.Positive(t, m.Before+m.After+100)
	var b bytes.Buffer
	require.NoError(t, results.WriteTables(&b, false, p.Tables()...))
	assert.Contains(t, b.String(), "mechanism, not reproduction")
	assert.Contains(t, b.String(), "published, 64 cores")

	// Interrupted in the second run: the first is kept.
	opts.ProfilesDir, opts.Each = "", 300*time.Millisecond
	opts.Progress = func(what string, done float64) {
		if what == "unlocked-qcmds" {
			cancel()
		}
	}
	p, err = derive.LivePairs(ctx, headline(t), opts)
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, p.Partial)
	require.Len(t, p.Runs, 1)
	assert.False(t, p.Runs[0].Before.Partial)
	_, err = p.Medians()
	assert.Error(t, err)
}

func TestPairsSayHowLongTheyTake(t *testing.T) {
	o := derive.PairOptions{ProfilesDir: "p"}
	assert.Less(t, o.Estimate(), 150*time.Second, "with everything else that make profile does it must stay below three minutes")
	o.Each = time.Minute
	assert.Greater(t, o.Estimate(), 6*time.Minute)
}
