package derive_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "hostlock/dispatch/lld"
	"hostlock/experiment"
	"hostlock/experiment/derive"
	"hostlock/experiment/spec"
	"hostlock/results"
	_ "hostlock/strategies"
	_ "hostlock/workload/ffsb"
)

// long leaves a test of many simulations to runs without the race detector,
// under which they are slow, and prove nothing.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("simulations only")
	}
}

// TestDerivedLoadHoldsAtOtherCoreCounts: what is found with one seed holds
// with another one and over a longer window.
func TestDerivedLoadHoldsAtOtherCoreCounts(t *testing.T) {
	long(t)
	exp, err := spec.Load("chen-2010")
	require.NoError(t, err)
	for _, cores := range []int{2, 4, 8, 16} {
		t.Run(fmt.Sprint(cores), func(t *testing.T) {
			t.Parallel()
			d, err := derive.Derive(context.Background(), exp, cores, nil)
			require.NoError(t, err)
			run := func(strategy string) *results.Result {
				p, err := experiment.NewPlan(exp, experiment.Request{
					Machine: "sim", Cores: cores, Strategy: strategy, Kind: "tas", Derived: d.Derived(),
					Duration: 20 * time.Second / time.Duration(cores), Seed: experiment.SeedOf(77),
				})
				require.NoError(t, err)
				r, err := experiment.Run(context.Background(), p, experiment.Options{})
				require.NoError(t, err)
				return r
			}
			before, after := run("host-lock"), run("unlocked-qcmds")
			t.Logf("rounds %d: %.2f %% -> %.2f %%, gain %.2f %%, busy %.0f and %.0f %%", d.Rounds, before.CPU.HostLock, after.CPU.HostLock, 100*(after.IOPS/before.IOPS-1), before.CPU.Busy, after.CPU.Busy)
			t.Log(strings.Join(d.Lines(), "\n"))
			for _, f := range before.CPU.HostLockByFunction {
				t.Logf("  %s %.2f", f.Name, f.Value)
			}
			assert.InDelta(t, 23.7, before.CPU.HostLock, 1.5)
			assert.InDelta(t, 1.8, after.CPU.HostLock, 0.6)
			assert.InDelta(t, 10.6, 100*(after.IOPS/before.IOPS-1), 2)
			assert.InDelta(t, float64(d.Work), float64(4*d.Section+d.QueueCommand+d.Outside), 1)
			assert.InDelta(t, 20/float64(cores), d.Scale, 0.5, "an I/O of 240 us of work")
		})
	}
}

func TestDerivationForAnotherShare(t *testing.T) {
	long(t)
	exp, err := spec.Load("chen-2010")
	require.NoError(t, err)
	base, err := derive.Derive(context.Background(), exp, 2, nil)
	require.NoError(t, err)
	for _, share := range []float64{10, 40} {
		d, err := base.At(context.Background(), exp, share)
		require.NoError(t, err)
		assert.InDelta(t, share, d.Simulated.Before, 1)
		assert.Equal(t, base.Latency, d.Latency)
		ratio := func(d *derive.Derivation) float64 { return float64(d.QueueCommand) / float64(d.Section) }
		assert.InEpsilon(t, ratio(base), ratio(d), 0.01)
	}
}

func TestDerivationSaysWhatItIs(t *testing.T) {
	long(t)
	exp, err := spec.Load("chen-2010")
	require.NoError(t, err)
	d, err := derive.Derive(context.Background(), exp, 2, nil)
	require.NoError(t, err)
	text := strings.Join(d.Lines(), "\n")
	assert.Contains(t, text, "mechanism, not reproduction")
	assert.Contains(t, text, "share = r^2 / (1 + 2r + 2r^2), r = hold / think; 23.7 % needs r = 1.26")
	again, err := derive.Derive(context.Background(), exp, 2, nil)
	require.NoError(t, err)
	assert.Equal(t, d.Derived().Settings, again.Derived().Settings, "the same costs give the same load")
	assert.False(t, math.IsNaN(d.Scale))
}

func TestDeriveNeedsAPublishedShare(t *testing.T) {
	exp, err := spec.Parse("x.toml", []byte("name = \"x\"\nstrategy = \"ring\"\ndriver = \"null\"\nworkload = \"headline\"\ncores = 2\n"))
	require.NoError(t, err)
	assert.False(t, derive.Derivable(exp))
	_, err = derive.Derive(context.Background(), exp, 2, nil)
	var usage *spec.UsageError
	assert.ErrorAs(t, err, &usage)
	_, err = derive.Derive(context.Background(), headline(t), 1, nil)
	require.ErrorAs(t, err, &usage)
	assert.Contains(t, err.Error(), "nobody spins")
}
