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
	"hostlock/experiment/spec"
	"hostlock/results"
)

// virtualOnly leaves a test out of short runs, which are those under the race
// detector: it slows virtual time twentyfold and can see nothing there.
func virtualOnly(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("long in virtual time")
	}
}

func run(t testing.TB, exp *spec.Spec, o experiment.Request, opts ...experiment.Options) *results.Result {
	t.Helper()
	o.Machine = "sim"
	r, err := do(context.Background(), exp, o, opts...)
	require.NoError(t, err)
	return r
}

// The published table, whatever the seed: the figures that values were fitted
// by, and those that none was.
func TestHeadlineWithinBands(t *testing.T) {
	exp := headline(t)
	table, err := results.LookupPublished(exp.Source)
	require.NoError(t, err)
	virtualOnly(t)
	seeds := []uint64{1, 2, 3}
	for _, seed := range seeds {
		runs := map[string]*results.Result{}
		for _, c := range exp.Cases {
			runs[c.Name] = run(t, exp, experiment.Request{Strategy: c.Strategy, Seed: experiment.SeedOf(seed)})
		}
		rep, err := table.Reproduce(runs, exp.UsedToFit)
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
	exp := headline(t)
	json, err := results.Format("json")
	require.NoError(t, err)
	wd, err := os.Getwd()
	require.NoError(t, err)
	var first map[string][]byte
	for _, procs := range []int{1, 2, 3} {
		old := runtime.GOMAXPROCS(procs)
		// A relative directory, since a result says where its profiles are.
		require.NoError(t, os.Chdir(t.TempDir()))
		r := run(t, exp, experiment.Request{Strategy: "ring", Duration: 20 * time.Millisecond}, experiment.Options{ProfilesDir: "p"})
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
	exp := headline(t)
	for _, s := range dispatch.Strategies() {
		for _, driver := range []string{"mptsas", "ramdisk", "null"} {
			t.Run(s.Name+"/"+driver, func(t *testing.T) {
				t.Parallel()
				for _, o := range []experiment.Request{
					{Cores: 4, Set: settings("scale=0.25")},
					{Cores: 3, Threads: 17, Set: settings("host.can_queue=5")},
					{Cores: 8, Weak: true},
				} {
					o.Strategy, o.Driver, o.Duration = s.Name, driver, 5*time.Millisecond
					r := run(t, exp, o)
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
	r := run(t, headline(t), experiment.Request{Strategy: "host-lock", Duration: 200 * time.Millisecond})
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
	exp := headline(t)
	d := 5 * time.Millisecond
	require.Equal(t, 128, run(t, exp, experiment.Request{Cores: 16, Duration: d}).Experiment.Threads)
	require.Equal(t, 32, run(t, exp, experiment.Request{Cores: 16, Weak: true, Duration: d}).Experiment.Threads)
	require.Equal(t, 256, run(t, exp, experiment.Request{Set: settings("scale=2"), Duration: d}).Experiment.Threads)
}

func TestWrongRequests(t *testing.T) {
	exp := headline(t)
	for name, c := range map[string]struct {
		o    experiment.Request
		text string
	}{
		"strategy":      {experiment.Request{Strategy: "nope"}, "host-lock"},
		"driver":        {experiment.Request{Driver: "nope"}, "mptsas"},
		"workload":      {experiment.Request{Workload: "nope"}, "headline"},
		"parameter":     {experiment.Request{Set: settings("mptsas.queuecomand=1us")}, "mptsas.queuecommand"},
		"duration unit": {experiment.Request{Set: settings("fs.cpu=5")}, "ns, us, ms"},
		"weak, scale":   {experiment.Request{Weak: true, Set: settings("scale=2")}, "scale"},
		"cores":         {experiment.Request{Cores: 5000}, "4096"},
		"threads":       {experiment.Request{Threads: -1}, "threads"},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Machine = "sim"
			r, err := do(context.Background(), exp, c.o)
			require.Nil(t, r)
			var usage *spec.UsageError
			require.ErrorAs(t, err, &usage)
			require.Contains(t, err.Error(), c.text)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// A title that tells of 128 threads and 64 cores is not put over another load.
func TestTitleOnlyOverItsOwnLoad(t *testing.T) {
	virtualOnly(t)
	exp := headline(t)
	for _, c := range []struct {
		opts experiment.Request
		want string
	}{
		{experiment.Request{Strategy: "ring"}, exp.Title},
		{experiment.Request{Workload: exp.Workload, Driver: exp.Driver, Cores: exp.Cores}, exp.Title},
		{experiment.Request{Threads: 4}, ""},
		{experiment.Request{Cores: 8}, ""},
		{experiment.Request{Driver: "null"}, ""},
		{experiment.Request{Workload: "seqread"}, ""},
	} {
		c.opts.Machine, c.opts.Duration = "sim", time.Millisecond
		r, err := do(t.Context(), exp, c.opts)
		require.NoError(t, err)
		require.Equal(t, c.want, r.Title, "%+v", c.opts)
	}
}
