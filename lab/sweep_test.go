package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/results"
)

// collapsing is a run whose figures follow from what was asked for.
func collapsing(_ context.Context, p *experiment.Plan, _ experiment.Options) (*results.Result, error) {
	o := p.Identity()
	r := &results.Result{
		Experiment: results.Identity{Name: o.Name, Strategy: o.Strategy, Cores: o.Cores, Threads: 2 * o.Cores},
		IOPS:       1000 * float64(o.Cores), CPU: results.CPU{Busy: 50}, Latency: results.Latency{P50: 900, P99: 2000},
	}
	if o.Strategy == "host-lock" {
		r.IOPS /= 1 + float64(o.Cores)/100
		r.CPU.HostLock, r.CPU.Contention = float64(o.Cores)/3, float64(o.Cores)/3+1
	}
	return r, nil
}

func TestSweepTableOnStdout(t *testing.T) {
	o := try(collapsing, "sweep", "--strategy", "host_lock,ring", "--cores", "1..4", "--weak")
	require.Zero(t, o.status, o.stderr)
	assert.Empty(t, o.stderr)
	_, table, _ := strings.Cut(o.stdout, "\n\n")
	assert.Equal(t, `  strategy   cores   IOPS  MB/s  host-lock share  contention     busy  p99, us     gain
  --------------------------------------------------------------------------------------
  host-lock      1  990.1  0.00           0.33 %      1.33 %  50.00 %     2000  +0.00 %`, table[:strings.Index(table, "+0.00 %")+7])
	assert.Contains(t, table, "  ring           4   4000  0.00           0.00 %      0.00 %  50.00 %     2000  +4.00 %\n")
	four := try(collapsing, "sweep", "--format", "csv")
	assert.Len(t, strings.Split(strings.TrimSpace(four.stdout), "\n"), 5, "four strategies at the experiment's own cores")
}

func TestWrongSweepRequests(t *testing.T) {
	dir := t.TempDir()
	notASweep := file(t, "run.json", `{"schema":1}`)
	chart := filepath.Join(dir, "c.svg")
	for args, want := range map[string]string{
		"sweep extra":                          `unexpected "extra"; lab sweep takes flags only`,
		"sweep --strategy rign":                `unknown strategy "rign"; legal: host-lock, `,
		"sweep --cores 0":                      `--cores "0": legal: whole numbers, 1 to 4096`,
		"sweep --cores 8..1":                   `--cores: range "8..1": ends before it begins; legal: A..B`,
		"sweep --set x":                        `--set "x": legal: name=value`,
		"sweep --set nothing=1,2":              `unknown parameter "nothing"`,
		"sweep --seeds x":                      `--seeds "x": legal: `,
		"sweep --duration 0":                   `--duration "0": too short`,
		"sweep --duration profile":             `--duration "profile": not a duration`,
		"sweep --warmup -1s":                   `--warmup "-1s": too short`,
		"sweep --shard 0/3":                    `--shard "0/3": legal: I/N`,
		"sweep --shard 1/2 --shards 2":         `--shard and --shards both say`,
		"sweep --shards 2":                     `--shards 2: no scheduler says which of them this is; legal: `,
		"sweep --shards 0":                     `--shards "0": legal: a whole number, 1 to 100000`,
		"sweep --format yaml":                  `unknown format "yaml"; legal: text, json, csv, markdown`,
		"sweep --plot c.gif":                   `--plot: c.gif is no file of a known kind; legal: a name that ends in .svg or .png`,
		"sweep --plot " + chart:                `--plot: nothing varies that a chart could be drawn against; legal: `,
		"sweep --resume " + notASweep:          `is no sweep; legal: `,
		"sweep --resume " + dir:                `is a directory; legal: `,
		"merge":                                `nothing to merge; legal: `,
		"merge " + notASweep:                   `is no sweep; legal: `,
		"merge " + dir + "/none":               `/none: no such file or directory; legal: a file that lab sweep wrote`,
		"merge " + notASweep + " --plot c.jpg": `legal: a name that ends in .svg or .png`,
	} {
		t.Run(strings.ReplaceAll(args, dir, "DIR"), func(t *testing.T) {
			o := try(never(t), strings.Fields(args)...)
			assert.Equal(t, 2, o.status)
			assert.Empty(t, o.stdout)
			require.Len(t, o.lines(), 1, o.stderr)
			assert.Contains(t, o.stderr, want)
			assert.NoFileExists(t, chart)
		})
	}
}

func TestSweepDrawsAChart(t *testing.T) {
	for _, end := range []string{"svg", "png"} {
		if end == "png" && testing.Short() {
			continue // takes seconds under the race detector
		}
		var drawn [2][]byte
		for i := range drawn {
			path := filepath.Join(t.TempDir(), "deep", "c."+end)
			o := try(collapsing, "sweep", "--cores", "1..8", "--plot", path)
			require.Zero(t, o.status, o.stderr)
			var err error
			drawn[i], err = os.ReadFile(path)
			require.NoError(t, err)
		}
		assert.NotEmpty(t, drawn[0])
		assert.Equal(t, drawn[0], drawn[1])
	}
}

// Ctrl-C keeps what is done, and the same command goes on from there.
func TestSweepInterrupted(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept.json")
	args := []string{"sweep", "--strategy", "host-lock,ring", "--cores", "1..16", "--format", "json", "--resume", kept}
	whole := try(collapsing, args[:7]...)
	require.Zero(t, whole.status)

	var stdout, stderr syncBuffer
	a := newApp(&stdout, &stderr)
	signals := make(chan os.Signal, 2)
	a.signals = signals
	var runs atomic.Int32
	a.run = func(ctx context.Context, p *experiment.Plan, o experiment.Options) (*results.Result, error) {
		if runs.Add(1) > 4 {
			if runs.Load() == 5 {
				signals <- os.Interrupt
			}
			<-ctx.Done()
			return &results.Result{Partial: true}, ctx.Err()
		}
		return collapsing(ctx, p, o)
	}
	assert.Equal(t, 130, a.main(args))
	var s results.Sweep
	require.NoError(t, json.Unmarshal([]byte(stdout.String()), &s))
	assert.True(t, s.Partial)
	assert.Len(t, s.Points, 4)
	assert.Contains(t, stderr.String(), "lab: done: 4 of 10 points; the same command goes on from there\n")
	assert.Contains(t, stderr.String(), "lab: interrupted; the result is partial\n")
	b, err := os.ReadFile(kept)
	require.NoError(t, err)
	assert.Equal(t, stdout.String(), string(b))

	runs.Store(0)
	o := try(func(ctx context.Context, p *experiment.Plan, opts experiment.Options) (*results.Result, error) {
		runs.Add(1)
		return collapsing(ctx, p, opts)
	}, args...)
	require.Zero(t, o.status, o.stderr)
	assert.EqualValues(t, 6, runs.Load())
	assert.Equal(t, []string{"lab: done already, from " + kept + ": 4 of the points"}, o.lines())
	assert.Equal(t, whole.stdout, o.stdout)
}

func TestPartsOfASweep(t *testing.T) {
	args := []string{"sweep", "--cores", "1..16", "--seeds", "1..3", "--format", "json"}
	whole := try(collapsing, args...)
	var files []string
	for i := range 3 {
		t.Setenv("SLURM_ARRAY_TASK_ID", fmt.Sprint(i+1))
		t.Setenv("SLURM_ARRAY_TASK_MIN", "1")
		t.Setenv("SLURM_ARRAY_TASK_COUNT", "3")
		path := filepath.Join(t.TempDir(), "part.json")
		o := try(collapsing, append(args, "--output", path)...)
		require.Zero(t, o.status, o.stderr)
		assert.Equal(t, []string{fmt.Sprintf("lab: part %d/3 of the sweep, from SLURM_ARRAY_TASK_ID; --shard 1/1 is the whole", i+1)}, o.lines())
		files = append(files, path)
	}
	o := try(never(t), append([]string{"merge", "--format", "json"}, files...)...)
	assert.Equal(t, outcome{0, whole.stdout, ""}, o)
	o = try(never(t), "merge", files[0], files[2])
	assert.Equal(t, 1, o.status)
	assert.Contains(t, o.stdout, "PARTIAL: ")
	assert.Contains(t, o.stderr, "lab: missing: ")
	assert.Contains(t, o.stderr, " more\n")
	assert.Equal(t, "lab: 20 of 60 points missing; the result is partial", o.lines()[len(o.lines())-1])

	t.Setenv("SLURM_ARRAY_TASK_ID", "")
	other := filepath.Join(t.TempDir(), "other.json")
	require.Zero(t, try(collapsing, "sweep", "--cores", "1..16", "--seeds", "1..4", "--format", "json", "--output", other).status)
	o = try(never(t), "merge", files[0], other)
	assert.Equal(t, 2, o.status)
	assert.Empty(t, o.stdout)
	assert.Contains(t, o.stderr, "are of different sweeps: their seeds differ; legal: parts of one")
}

// What the help promises runs, on the real simulator.
func TestSweepForReal(t *testing.T) {
	o := try(experiment.Run, "sweep", "--cores", "1..4", "--weak", "--set", "hbas=1", "--duration", "5ms", "--warmup", "1ms", "--format", "csv")
	require.Zero(t, o.status, o.stderr)
	assert.Equal(t, 13, strings.Count(o.stdout, "\n"))
}
