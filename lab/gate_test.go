package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"hostlock/experiment"
	"hostlock/experiment/compare"
	"hostlock/results"
)

// benchText is what `go test -bench` prints for a benchmark of so many
// nanoseconds, whose runs scatter by 2 % either way.
func benchText(t *testing.T, name string, seed uint64, runs int, ns map[string]float64) string {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	b := strings.Builder{}
	b.WriteString("goos: linux\ngoarch: amd64\npkg: example.org/q\n")
	for range runs {
		for _, bench := range []string{"Push-8", "Pop-8"} {
			fmt.Fprintf(&b, "Benchmark%s   \t 1000000\t %.1f ns/op\t 16 B/op\t 1 allocs/op\n", bench, ns[bench]*(0.98+0.04*r.Float64()))
		}
	}
	b.WriteString("PASS\nok  \texample.org/q\t1.2s\n")
	return file(t, name, b.String())
}

func TestCompareGoBenchmarks(t *testing.T) {
	before := benchText(t, "before.txt", 1, 10, map[string]float64{"Push-8": 100, "Pop-8": 50})
	after := benchText(t, "after.txt", 2, 10, map[string]float64{"Push-8": 110, "Pop-8": 50})
	o := try(never(t), "compare", before, after, "--format", "json")
	require.Zero(t, o.status, o.stderr)
	var list []compare.Change
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &list))
	require.Len(t, list, 6, "two benchmarks in three units")
	for _, c := range list {
		assert.Equal(t, 10, c.Runs)
		assert.Nil(t, c.Gate)
		if want := strings.Contains(c.Benchmark, "Push") && c.Figure == "sec/op"; want {
			assert.InDelta(t, 10, c.Change, 2)
			assert.True(t, c.Significant)
		} else {
			assert.False(t, c.Significant, c.Benchmark+c.Figure)
		}
	}
	o = try(never(t), "compare", before, after)
	require.Zero(t, o.status, o.stderr)
	assert.Contains(t, strings.SplitN(o.stdout, "\n", 2)[0], "slower in 1, faster in 0 and neither in 1 of 2 benchmarks")
}

// The gate is one of noise, too: what is slower by chance, or by less than the
// limit, passes; too few runs are no gate.
func TestGate(t *testing.T) {
	base := map[string]float64{"Push-8": 100, "Pop-8": 50}
	slow := map[string]float64{"Push-8": 110, "Pop-8": 50}
	before := benchText(t, "before.txt", 1, 10, base)
	for name, c := range map[string]struct {
		after  string
		limit  string
		status int
	}{
		"slower than the limit": {benchText(t, "a.txt", 2, 10, slow), "5", 1},
		"by less than that":     {benchText(t, "b.txt", 2, 10, slow), "15", 0},
		"chance":                {benchText(t, "c.txt", 3, 10, base), "0", 0},
		"faster":                {benchText(t, "d.txt", 3, 10, map[string]float64{"Push-8": 80, "Pop-8": 40}), "0%", 0},
		"too few runs to tell":  {benchText(t, "e.txt", 2, 3, slow), "5", 2},
	} {
		t.Run(name, func(t *testing.T) {
			o := try(never(t), "compare", before, c.after, "--gate", c.limit, "--format", "json")
			assert.Equal(t, c.status, o.status, o.stderr)
			if c.status == 2 {
				assert.Empty(t, o.stdout)
				return
			}
			var list []compare.Change
			require.NoError(t, json.Unmarshal([]byte(o.stdout), &list))
			judged, failed := 0, 0
			for _, c := range list {
				if c.GateFailed != nil {
					judged++
					assert.Equal(t, "sec/op", c.Figure)
					if *c.GateFailed {
						failed++
					}
				}
			}
			assert.Equal(t, 2, judged)
			assert.Equal(t, c.status, min(failed, 1))
			require.Len(t, o.lines(), c.status, o.stderr)
		})
	}
}

// Of two hundred pairs of files that do not differ, at most a few are stopped at
// a limit of nothing; all share one chance in twenty, of which half lies on this
// side.
func TestGateRaisesFewFalseAlarms(t *testing.T) {
	const pairs = 200
	alarms := 0
	base := map[string]float64{"Push-8": 100, "Pop-8": 50}
	for i := range uint64(pairs) {
		c, err := compare.Files([]string{benchText(t, "a.txt", 2*i, 8, base), benchText(t, "b.txt", 2*i+1, 8, base)})
		require.NoError(t, err)
		g, err := c.Gate(0)
		require.NoError(t, err)
		if g.Err() != nil {
			alarms++
		}
	}
	assert.LessOrEqual(t, alarms, pairs/20, "one in twenty, and three standard deviations of one in forty")
}

func TestWrongGates(t *testing.T) {
	some := benchText(t, "some.txt", 1, 10, map[string]float64{"Push-8": 100, "Pop-8": 50})
	broken := file(t, "broken.txt", "BenchmarkX 10 many ns/op\n")
	nothing := file(t, "nothing.txt", "PASS\n")
	other := file(t, "other.txt", "BenchmarkZ 10 1 ns/op\n")
	noSpeed := file(t, "space.txt", strings.Repeat("BenchmarkX 10 1 B/op\n", 9))
	both := file(t, "both.txt", "side: a\nBenchmarkX 10 1 ns/op\nside: b\nBenchmarkX 10 1 ns/op\n")
	for args, want := range map[string]string{
		"compare " + some + " " + some + " --gate x":       `legal: 0 to less than 100`,
		"compare " + some + " " + some + " --gate -1":      `legal: 0 to less than 100`,
		"compare ring per-queue --gate 5 --runs 3":         `legal: 4 runs or more`,
		"compare " + some + " " + broken:                   `broken.txt:1: `,
		"compare " + some + " " + nothing:                  `holds neither results nor benchmarks; legal: `,
		"compare " + some + " " + other:                    `no benchmark in common`,
		"compare " + noSpeed + " " + noSpeed + " --gate 5": `none of the figures is a speed; legal: `,
		"compare " + both + " " + some:                     `holds the sides a and b of a comparison; legal: `,
		"compare " + some + " " + some + "x.txt":           `no such file`,
		"compare " + some + " ring":                        `legal: all sides of one kind`,
	} {
		t.Run(filepath.Base(args), func(t *testing.T) {
			o := try(never(t), strings.Fields(args)...)
			assert.Equal(t, 2, o.status)
			assert.Empty(t, o.stdout)
			require.Len(t, o.lines(), 1, o.stderr)
			assert.Contains(t, o.stderr, want)
		})
	}
}

// What a run prints in Go's format is read back, beside results as JSON; what a
// comparison prints has every side under its name.
func TestGoBenchmarkFormatThereAndBack(t *testing.T) {
	dir := t.TempDir()
	write := func(name, strategy, format string) string {
		var all []byte
		for seed := range 6 {
			o := try(experiment.Run, "run", "--strategy", strategy, "--machine", "sim", "--cores", "2", "--duration", "5ms", "--seed", fmt.Sprint(seed+1), "--format", format)
			require.Zero(t, o.status, o.stderr)
			all = append(all, o.stdout...)
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, all, 0o600))
		return path
	}
	text, object := write("a.txt", "ring", "gobench"), write("b.json", "ring", "json")
	o := try(never(t), "compare", text, object, "--gate", "1", "--format", "json")
	require.Zero(t, o.status, o.stderr)
	var list []compare.Change
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &list))
	require.NotEmpty(t, list)
	for _, c := range list {
		assert.InDelta(t, 0, c.Change, 1e-6, c.Figure)
		assert.Equal(t, c.Figure == "IOPS", c.Gate != nil, "one figure of a benchmark is its speed")
	}
	o = try(experiment.Run, "compare", "ring", "per-queue", "--cores", "2", "--duration", "5ms", "--no-sets", "--runs", "2", "--format", "gobench")
	require.Zero(t, o.status, o.stderr)
	sides := map[string]int{}
	r := benchfmt.NewReader(strings.NewReader(o.stdout), "out")
	for r.Scan() {
		if b, ok := r.Result().(*benchfmt.Result); ok {
			sides[b.GetConfig("side")]++
			v, ok := b.Value("IOPS")
			assert.True(t, ok && v > 0)
			ns, _ := b.Value("sec/op")
			assert.InEpsilon(t, 1/v, ns, 1e-3)
		}
	}
	require.NoError(t, r.Err())
	assert.Equal(t, map[string]int{"ring": 2, "per-queue": 2}, sides)
	assert.Equal(t, 1, r.Units().GetBetter("IOPS"))
}

// Live sides take turns, one calibration holds for all of them, and the gate
// judges what was measured.
func TestCompareLive(t *testing.T) {
	var order []string
	var calibrations []float64
	run := func(_ context.Context, p *experiment.Plan, o experiment.Options) (*results.Result, error) {
		id := p.Identity()
		order = append(order, id.Strategy)
		calibrations = append(calibrations, o.Calibration)
		r := &results.Result{Schema: results.Schema, Experiment: id}
		// The computer slows down while it is measured; ring is a tenth slower.
		r.IOPS = 1000 - 10*float64(len(order))
		if id.Strategy == "ring" {
			r.IOPS *= 0.9
		}
		r.Latency.Mean = 1e6 / r.IOPS
		return r, nil
	}
	args := []string{"compare", "per-queue", "ring", "--machine", "live", "--set", "live.derive=false", "--format", "json"}
	o := try(run, append(args, "--gate", "20")...)
	require.Zero(t, o.status, o.stderr)
	require.Len(t, order, 12, "six runs a side")
	for i, s := range order {
		assert.Equal(t, []string{"per-queue", "ring"}[i%2], s, "by turns")
		assert.Equal(t, calibrations[0], calibrations[i])
	}
	var list []compare.Change
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &list))
	c := list[0]
	assert.Equal(t, "live", c.Machine)
	assert.True(t, c.Paired)
	assert.InDelta(t, -11, c.Change, 1, "a tenth, and the drift of one run")
	require.NotNil(t, c.Low)
	assert.Less(t, *c.High-*c.Low, 1.0, "pairs are free of the drift")
	assert.True(t, c.Significant)
	order = nil
	o = try(run, append(args, "--gate", "1")...)
	assert.Equal(t, 1, o.status, o.stderr)
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &list))
	assert.True(t, *list[0].GateFailed)
}
