package sweep

import (
	"hostlock/experiment/spec"
	"hostlock/results"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWrongSweeps(t *testing.T) {
	for want, alter := range map[string]func(*Request){
		`unknown experiment "nope"`:                           func(r *Request) { r.Experiment = "nope" },
		`unknown strategy "rign"; legal: `:                    func(r *Request) { r.Strategies = []string{"ring", "rign"} },
		`--strategy: ring is there twice`:                     func(r *Request) { r.Strategies = []string{"ring", "ring"} },
		`--strategy: host-lock is there twice`:                func(r *Request) { r.Strategies = []string{"host-lock", "host_lock"} },
		`unknown driver "nope"`:                               func(r *Request) { r.Driver = "nope" },
		`unknown workload "nope"`:                             func(r *Request) { r.Workload = "nope" },
		`--cores "0": legal: whole numbers, 1 to 4096`:        func(r *Request) { r.Cores = "0" },
		`--cores "1.5": legal: `:                              func(r *Request) { r.Cores = "1.5" },
		`--cores "5000": legal: `:                             func(r *Request) { r.Cores = "1..5000" },
		`--cores: range "8..1"`:                               func(r *Request) { r.Cores = "8..1" },
		`--cores: 2 is there twice`:                           func(r *Request) { r.Cores = "1..4,2" },
		`--seeds "x": legal: `:                                func(r *Request) { r.Seeds = "x" },
		`--seeds "-1": legal: `:                               func(r *Request) { r.Seeds = "-1" },
		`--set fs.cpu is there twice`:                         func(r *Request) { r.Set = settings("fs.cpu=1us", "fs.cpu=2us") },
		`--set fs.cpu: a value is missing`:                    func(r *Request) { r.Set = settings("fs.cpu=1us,") },
		`mptsas.qeuecommand`:                                  func(r *Request) { r.Set = settings("mptsas.qeuecommand=1us,2us") },
		`mptsas.queuecommand`:                                 func(r *Request) { r.Set = settings("mptsas.queuecommand=1us,x") },
		`--weak and --set scale= both set the scale; legal: `: func(r *Request) { r.Set = settings("scale=1,2") },
		`--set hbas=0; legal: `:                               func(r *Request) { r.Set = settings("hbas=0,1") },
		`--duration 25h0m0s: out of range`:                    func(r *Request) { r.Duration = 25 * time.Hour },
		`legal: up to 100000`:                                 func(r *Request) { r.Seeds, r.Set = "1..9000", settings("fs.cv=0..1+0.01") },
	} {
		r := request()
		alter(&r)
		_, err := NewPlan(r)
		var bad *spec.UsageError
		require.ErrorAs(t, err, &bad, want)
		assert.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestDefaultsAreTheExperimentsOwn(t *testing.T) {
	p := planOf(t, Request{Experiment: "chen-2010"})
	require.Equal(t, 1, p.Len())
	assert.Equal(t, []string{"host-lock"}, p.Definition.Strategies)
	assert.Equal(t, []int{64}, p.Definition.Cores)
	assert.Equal(t, []uint64{1}, p.Definition.Seeds)
	assert.Equal(t, "sim", p.points[0].req.Machine)
}

func TestBudget(t *testing.T) {
	exp, err := spec.Load("chen-2010")
	require.NoError(t, err)
	for cores, want := range map[int]time.Duration{1: 2 * time.Second, 4: 2 * time.Second, 16: 500 * time.Millisecond, 64: 125 * time.Millisecond, 256: 50 * time.Millisecond, 4096: 50 * time.Millisecond} {
		measure, warm := Budget(exp, cores)
		assert.Equal(t, want, measure, "%d cores", cores)
		assert.GreaterOrEqual(t, warm, min(minWarmup, exp.Warmup))
		assert.LessOrEqual(t, warm, exp.Warmup)
	}
	p := planOf(t, Request{Experiment: "chen-2010", Duration: 5 * time.Millisecond, Warmup: time.Millisecond})
	assert.Equal(t, 5*time.Millisecond, p.points[0].req.Duration)
	assert.Equal(t, time.Millisecond, p.points[0].req.Warmup)
}

// A point's key follows everything that its figures depend on, and nothing
// that they do not.
func TestKeys(t *testing.T) {
	key := func(alter func(*Request)) string {
		r := Request{Experiment: "chen-2010", Cores: "4"}
		alter(&r)
		return planOf(t, r).points[0].Key
	}
	base := key(func(*Request) {})
	shown, err := spec.Load("chen-2010")
	require.NoError(t, err)
	mine := filepath.Join(t.TempDir(), "mine.toml")
	write := func(text string) { require.NoError(t, os.WriteFile(mine, []byte(text), 0o644)) }
	write(strings.Replace(string(shown.FileText()), "523us", "524us", 1))
	seen := map[string]bool{base: true}
	for i, alter := range []func(*Request){
		func(r *Request) { r.Strategies = []string{"ring"} },
		func(r *Request) { r.Cores = "8" },
		func(r *Request) { r.Weak = true },
		func(r *Request) { r.Driver = "ramdisk" },
		func(r *Request) { r.Set = settings("fs.cpu=1us") },
		func(r *Request) { r.Seeds = "2" },
		func(r *Request) { r.Duration = time.Second },
		func(r *Request) { r.Warmup = time.Second },
		func(r *Request) { r.Experiment, r.Workload = mine, "headline" },
	} {
		k := key(alter)
		assert.False(t, seen[k], "%d", i)
		seen[k] = true
	}
	assert.Equal(t, base, key(func(r *Request) { r.Cores = "4..64" }), "other points are no part of a point")
	write(string(shown.FileText()))
	assert.Equal(t, base, key(func(r *Request) { r.Experiment, r.Workload = mine, "headline" }), "the text counts, not the name")
	one := key(func(r *Request) { r.Set = settings("fs.cpu=1us") })
	assert.Equal(t, one, key(func(r *Request) { r.Set = settings("fs.cpu=1us,2us") }), "a value counts alike whether it varies or not")
}

// The published chain of the headline's own parameters, from the equations
// worked out by another program.
func TestTheoryOfTheHeadline(t *testing.T) {
	p := planOf(t, Request{Experiment: "chen-2010", Strategies: []string{"host-lock", "unlocked-qcmds", "ring"}, Cores: "64,256", Weak: true, Set: settings("hbas=1")})
	for i, want := range []struct{ iops, share, section float64 }{{68007, 7.95, 2.96}, {28741, 93.32, 2.96}, {71455, 1.14, 1.69}, {34211, 92.00, 1.69}} {
		pt := p.points[i]
		th := theoryAt(t, p, &pt, 2*pt.Cores)
		require.NotNil(t, th)
		assert.InEpsilon(t, want.iops, th.IOPS, 0.03, "%s %d", pt.Strategy, pt.Cores)
		assert.InDelta(t, want.share, th.Contention, 1.5, "%s %d", pt.Strategy, pt.Cores)
		assert.InDelta(t, want.section, th.Section, 0.2)
	}
	pt := p.points[4]
	assert.Nil(t, theoryAt(t, p, &pt, 128), "ring has no host lock")
}

func theoryAt(t *testing.T, p *Plan, pt *point, threads int) *results.SweepTheory {
	t.Helper()
	plan, err := p.plan(pt)
	require.NoError(t, err)
	return theoryOf(plan, pt.HBAs, threads)
}

// Two HBAs have a lock each; a scalable lock does not collapse; a test-and-set
// lock has no chain; cores beyond the threads count for nothing.
func TestTheoryFollowsTheLoad(t *testing.T) {
	at := func(threads int, cores string, set ...string) float64 {
		p := planOf(t, Request{Experiment: "chen-2010", Cores: cores, Set: settings(set...)})
		th := theoryAt(t, p, &p.points[0], threads)
		if th == nil {
			return math.NaN()
		}
		return th.IOPS
	}
	assert.InEpsilon(t, 2*at(128, "64"), at(256, "128", "scale=2"), 1e-9)
	assert.Greater(t, at(512, "256", "scale=4", "hbas=1", "lock.host_lock=queued"), 2*at(512, "256", "scale=4", "hbas=1"))
	assert.True(t, math.IsNaN(at(128, "64", "lock.host_lock=tas")))
	assert.Equal(t, at(128, "128"), at(128, "512"))
}
