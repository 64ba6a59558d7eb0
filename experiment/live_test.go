package experiment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hostlock/experiment"
	"hostlock/experiment/derive"
	"hostlock/experiment/spec"
	"hostlock/profiles"
	"hostlock/results"
)

// quickLoad is a derivation that costs no simulation: nothing in these tests
// hangs on how much is spun.
func quickLoad() *derive.Derivation {
	return &derive.Derivation{
		Cores: 2, Scale: 10, Work: 240 * time.Microsecond, Section: 8 * time.Microsecond,
		QueueCommand: 90 * time.Microsecond, Outside: 118 * time.Microsecond, Latency: 5 * time.Millisecond,
		Targets: derive.Targets{Before: 23.7, After: 1.8, Gain: 10.6},
	}
}

func liveRequest(strategy string) experiment.Request {
	return experiment.Request{Machine: "live", Strategy: strategy, Duration: 400 * time.Millisecond, Derived: quickLoad().Derived()}
}

// quick leaves out calibration.
var quick = experiment.Options{Calibration: 500}

// ignoreProfiler is the runtime's own, which ends a little after a profile.
var ignoreProfiler = goleak.IgnoreTopFunction("runtime/pprof.profileWriter")

func TestLiveRunHasTheWholeContract(t *testing.T) {
	defer goleak.VerifyNone(t, ignoreProfiler)
	strategies := []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"}
	if testing.Short() {
		strategies = []string{"host-lock", "ring"} // package strategies runs them all
	}
	for _, strategy := range strategies {
		t.Run(strategy, func(t *testing.T) {
			opts := quick
			opts.ProfilesDir = t.TempDir()
			r, err := do(context.Background(), headline(t), liveRequest(strategy), opts)
			require.NoError(t, err)
			assert.Equal(t, "live", r.Experiment.Machine)
			assert.Equal(t, 128, r.Experiment.Threads)
			assert.Positive(t, r.Commands.Completed)
			assert.Zero(t, r.Commands.Lost)
			assert.NoError(t, results.CheckBudget(r.CPU.Budget))
			assert.Equal(t, "tas", r.Live.Kind)
			assert.Positive(t, r.Live.Burn)
			assert.Contains(t, strings.Join(r.Live.Derivation, "\n"), "mechanism, not reproduction")
			for _, kind := range []string{profiles.KindCPU, profiles.KindContention, profiles.KindWall} {
				file, ok := r.Profiles.Get(kind)
				require.True(t, ok, kind)
				p, err := profiles.ReadFile(file)
				require.NoError(t, err)
				info, ok := profiles.ReadInfo(p)
				assert.True(t, ok)
				assert.Equal(t, strategy, info.Strategy)
			}
			if strategy == "ring" {
				assert.Zero(t, r.CPU.HostLock)
			}
			if strategy == "host-lock" && r.Live.Samples > 0 {
				require.NotNil(t, r.Published)
				for _, row := range r.Published.Rows {
					assert.NotContains(t, row.Name, "iops", "no rate stands beside a published one")
				}
			}
			// The profile says what the result says.
			file, _ := r.Profiles.Get(profiles.KindCPU)
			if a, err := profiles.AttributeFile(file, profiles.Options{}); err == nil {
				assert.InDelta(t, a.HostLock.Pct, r.CPU.HostLock, 1e-9)
			}
			var b bytes.Buffer
			format, err := results.Format("json")
			require.NoError(t, err)
			require.NoError(t, format.Result(&b, r))
			var object map[string]any
			require.NoError(t, json.Unmarshal(b.Bytes(), &object))
			assert.EqualValues(t, 10, object["live"].(map[string]any)["time_scale"])
		})
	}
}

// A mutex is seen by the runtime's own profiles, and by no CPU profile.
func TestLiveMutexWritesTheRuntimesLockProfiles(t *testing.T) {
	req, opts := liveRequest("host-lock"), quick
	req.Kind, opts.ProfilesDir = "mutex", t.TempDir()
	r, err := do(context.Background(), headline(t), req, opts)
	require.NoError(t, err)
	assert.Equal(t, "mutex", r.Live.Kind)
	assert.Nil(t, r.Published, "nothing published compares with a sleeping lock")
	assert.Zero(t, r.Live.Polled)
	for _, kind := range []string{profiles.KindMutex, profiles.KindBlock} {
		file, ok := r.Profiles.Get(kind)
		require.True(t, ok, kind)
		_, err := profiles.ReadFile(file)
		require.NoError(t, err)
	}
	assert.Contains(t, strings.Join(r.Warnings, "\n"), "a CPU profile does not see its contention")
}

func TestLiveRefusesWhatGoroutinesCannotDo(t *testing.T) {
	for _, kind := range []string{"ticket", "queued"} {
		req := liveRequest("host-lock")
		req.Kind = kind
		_, err := do(context.Background(), headline(t), req)
		var usage *spec.UsageError
		require.ErrorAs(t, err, &usage)
		assert.Contains(t, err.Error(), "legal: tas, mutex")
	}
	req := liveRequest("host-lock")
	req.Machine, req.Kind, req.Derived = "sim", "mutex", nil
	_, err := do(context.Background(), headline(t), req)
	var usage *spec.UsageError
	require.ErrorAs(t, err, &usage)
}

func TestLiveInterruptedKeepsWhatWasMeasured(t *testing.T) {
	defer goleak.VerifyNone(t, ignoreProfiler)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	req := liveRequest("host-lock")
	req.Duration = time.Hour
	opts := quick
	opts.Progress = func(float64) { cancel() }
	r, err := do(ctx, headline(t), req, opts)
	require.ErrorIs(t, err, context.Canceled)
	require.NotNil(t, r)
	assert.True(t, r.Partial)
	assert.Positive(t, r.Commands.Completed)
	assert.Zero(t, r.Commands.Lost)
	assert.NoError(t, results.CheckBudget(r.CPU.Budget))
	for _, w := range r.Warnings {
		assert.NotContains(t, w, "1h0m0s were measured", "what was asked for, and not what was measured")
		assert.NotContains(t, w, "context canceled")
	}
}

func TestLiveInterruptedBeforeItBegan(t *testing.T) {
	defer goleak.VerifyNone(t, ignoreProfiler)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := do(ctx, headline(t), liveRequest("host-lock"), quick)
	require.ErrorIs(t, err, context.Canceled)
}

func TestCostsComeBackFromTheirFile(t *testing.T) {
	costs := derive.QuickCosts(context.Background())
	require.NotEmpty(t, costs)
	var b bytes.Buffer
	require.NoError(t, spec.WriteCosts(&b, costs, []string{"a remark"}))
	file := filepath.Join(t.TempDir(), "costs.toml")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	back, err := spec.LoadCosts(file)
	require.NoError(t, err)
	require.Len(t, back, len(costs))
	for i, c := range costs {
		assert.Equal(t, []string{c.Name, c.Value, c.Source}, []string{back[i].Name, back[i].Value, back[i].Source})
	}
	r, err := do(context.Background(), headline(t), experiment.Request{Machine: "sim", Cores: 2, Duration: 10 * time.Millisecond, Costs: back})
	require.NoError(t, err)
	found := false
	for _, p := range r.Parameters {
		found = found || p.Name == back[0].Name && p.Source == back[0].Source
	}
	assert.True(t, found, "a result names where its costs come from")
}
