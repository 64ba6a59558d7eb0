package experiment_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/results"
)

func headline(t testing.TB) *experiment.Spec {
	t.Helper()
	spec, err := experiment.Load("host-lock")
	require.NoError(t, err)
	return spec
}

// virtualOnly leaves a test out of short runs, which are those under the race
// detector: it slows virtual time twentyfold and can see nothing there.
func virtualOnly(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("long in virtual time")
	}
}

func run(t testing.TB, spec *experiment.Spec, o experiment.Options) *results.Result {
	t.Helper()
	o.Machine = "sim"
	r, err := experiment.Run(context.Background(), spec, o)
	require.NoError(t, err)
	return r
}

// The published table, whatever the seed: the figures that values were fitted
// by, and those that none was.
func TestHeadlineWithinBands(t *testing.T) {
	spec := headline(t)
	table, err := results.LookupPublished(spec.Source)
	require.NoError(t, err)
	virtualOnly(t)
	seeds := []uint64{1, 2, 3}
	for _, seed := range seeds {
		runs := map[string]*results.Result{}
		for _, c := range spec.Cases {
			runs[c.Name] = run(t, spec, experiment.Options{Strategy: c.Strategy, Seed: seed, SeedSet: true})
		}
		rep, err := table.Reproduce(runs, spec.UsedToFit)
		require.NoError(t, err)
		require.LessOrEqual(t, len(rep.Fitted), 5)
		for _, row := range rep.Rows {
			require.True(t, row.Within(), "seed %d: %s: published %g, here %g, band %g", seed, row.Name, row.Published, row.Measured, row.Band)
		}
	}
}

// One seed, one result, byte for byte: JSON and profiles.
func TestSameBytes(t *testing.T) {
	virtualOnly(t)
	spec := headline(t)
	json, err := results.Format("json")
	require.NoError(t, err)
	wd, err := os.Getwd()
	require.NoError(t, err)
	var first map[string][]byte
	for _, procs := range []int{1, 2, 3} {
		old := runtime.GOMAXPROCS(procs)
		// A relative directory, since a result says where its profiles are.
		require.NoError(t, os.Chdir(t.TempDir()))
		r := run(t, spec, experiment.Options{Strategy: "ring", Duration: 20 * time.Millisecond, ProfilesDir: "p"})
		runtime.GOMAXPROCS(old)
		files := map[string][]byte{}
		var b bytes.Buffer
		require.NoError(t, json.Result(&b, r))
		files["json"] = b.Bytes()
		paths, err := filepath.Glob("p/*")
		require.NoError(t, err)
		require.Len(t, paths, 2)
		for _, p := range paths {
			files[p], err = os.ReadFile(p)
			require.NoError(t, err)
		}
		require.NoError(t, os.Chdir(wd))
		if first == nil {
			first = files
			continue
		}
		require.Equal(t, first, files)
	}
}

// Whatever runs, its ledger closes, its limits hold and its budget adds up.
func TestEveryStrategyOnEveryDriver(t *testing.T) {
	virtualOnly(t)
	spec := headline(t)
	for _, s := range dispatch.Strategies() {
		for _, driver := range []string{"mptsas", "ramdisk", "null"} {
			t.Run(s.Name+"/"+driver, func(t *testing.T) {
				t.Parallel()
				for _, o := range []experiment.Options{
					{Cores: 4, Set: []string{"scale=0.25"}},
					{Cores: 3, Threads: 17, Set: []string{"host.can_queue=5"}},
					{Cores: 8, Weak: true},
				} {
					o.Strategy, o.Driver, o.Duration = s.Name, driver, 5*time.Millisecond
					r := run(t, spec, o)
					require.Zero(t, r.Commands.Lost)
					require.Positive(t, r.Commands.Completed)
					require.NoError(t, results.CheckBudget(r.CPU.Budget))
				}
			})
		}
	}
}

// The profile and the locks' own clocks are two ways to one figure.
func TestProfileAgreesWithCounters(t *testing.T) {
	virtualOnly(t)
	r := run(t, headline(t), experiment.Options{Strategy: "host-lock", Duration: 200 * time.Millisecond})
	require.InDelta(t, r.Counters.HostLock, r.CPU.HostLock, 0.5)
	require.InDelta(t, r.Counters.Contention, r.CPU.Contention, 0.5)
	sum := 0.0
	for _, s := range r.CPU.HostLockByFunction {
		sum += s.Value
	}
	require.InDelta(t, r.CPU.HostLock, sum, 1e-9)
}

// Cores alone never change the load; --weak does.
func TestCoresAndLoad(t *testing.T) {
	virtualOnly(t)
	spec := headline(t)
	d := 5 * time.Millisecond
	require.Equal(t, 128, run(t, spec, experiment.Options{Cores: 16, Duration: d}).Experiment.Threads)
	require.Equal(t, 32, run(t, spec, experiment.Options{Cores: 16, Weak: true, Duration: d}).Experiment.Threads)
	require.Equal(t, 256, run(t, spec, experiment.Options{Set: []string{"scale=2"}, Duration: d}).Experiment.Threads)
}

func TestWrongRequests(t *testing.T) {
	spec := headline(t)
	for name, c := range map[string]struct {
		o    experiment.Options
		text string
	}{
		"strategy":      {experiment.Options{Strategy: "nope"}, "host-lock"},
		"driver":        {experiment.Options{Driver: "nope"}, "mptsas"},
		"workload":      {experiment.Options{Workload: "nope"}, "headline"},
		"parameter":     {experiment.Options{Set: []string{"mptsas.queuecomand=1us"}}, "mptsas.queuecommand"},
		"no value":      {experiment.Options{Set: []string{"fs.cpu"}}, "fs.cpu"},
		"duration unit": {experiment.Options{Set: []string{"fs.cpu=5"}}, "ns, us, ms"},
		"weak, scale":   {experiment.Options{Weak: true, Set: []string{"scale=2"}}, "scale"},
		"cores":         {experiment.Options{Cores: 5000}, "4096"},
		"threads":       {experiment.Options{Threads: -1}, "threads"},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Machine = "sim"
			r, err := experiment.Run(context.Background(), spec, c.o)
			require.Nil(t, r)
			var usage *experiment.UsageError
			require.ErrorAs(t, err, &usage)
			require.Contains(t, err.Error(), c.text)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// A title that tells of 128 threads and 64 cores is not put over another load.
func TestTitleOnlyOverItsOwnLoad(t *testing.T) {
	virtualOnly(t)
	spec := headline(t)
	for _, c := range []struct {
		opts experiment.Options
		want string
	}{
		{experiment.Options{Strategy: "ring"}, spec.Title},
		{experiment.Options{Workload: spec.Workload, Driver: spec.Driver, Cores: spec.Cores}, spec.Title},
		{experiment.Options{Threads: 4}, ""},
		{experiment.Options{Cores: 8}, ""},
		{experiment.Options{Driver: "null"}, ""},
		{experiment.Options{Workload: "seqread"}, ""},
	} {
		c.opts.Machine, c.opts.Duration = "sim", time.Millisecond
		r, err := experiment.Run(t.Context(), spec, c.opts)
		require.NoError(t, err)
		require.Equal(t, c.want, r.Title, "%+v", c.opts)
	}
}
