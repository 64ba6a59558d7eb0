package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/results"
)

func TestRunHandsOnWhatWasAsked(t *testing.T) {
	f := &fake{}
	o := try(f.run, "run", "--strategy", "unlocked_qcmds", "--driver", "mptsas", "--workload", "headline", "--machine", "sim",
		"--cores", "256", "--threads", "7", "--duration", "1m30s", "--seed", "0", "--weak", "--set", "fs.cpu=1us", "--set", "fs.cv=0.2", "--profiles", "p", "--format", "json")
	require.Zero(t, o.status, o.stderr)
	require.Len(t, f.asked, 1)
	assert.Equal(t, experiment.Request{
		Strategy: "unlocked_qcmds", Driver: "mptsas", Workload: "headline", Machine: "sim", Cores: 256, Threads: 7,
		Duration: 90 * time.Second, Seed: experiment.SeedOf(0), Weak: true,
		Set: []param.Setting{{Name: "fs.cpu", Value: "1us", At: param.SetFlag}, {Name: "fs.cv", Value: "0.2", At: param.SetFlag}},
	}, f.asked[0])
	assert.Equal(t, "p", f.opts[0].ProfilesDir)
}

func TestRunWithoutFlagsChangesNothing(t *testing.T) {
	f := &fake{}
	require.Zero(t, try(f.run, "run").status)
	assert.Equal(t, experiment.Request{}, f.asked[0])
	f = &fake{}
	require.Zero(t, try(f.run, "run", "--duration", "profile").status)
	assert.True(t, f.asked[0].ProfileDuration)
}

// Data goes to stdout and nothing else does; warnings go to stderr, but for those
// that a report for people has already.
func TestStreams(t *testing.T) {
	f := &fake{}
	o := try(f.run, "run", "--machine", "sim", "--format", "json")
	var r results.Result
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &r))
	assert.Equal(t, []string{"lab: warning: a warning"}, o.lines())
	for _, format := range results.Formats() {
		o := try(f.run, "run", "--machine", "sim", "--format", format.Name)
		assert.Zero(t, o.status)
		assert.NotEmpty(t, o.stdout)
		if format.Name == "text" || format.Name == "markdown" {
			assert.Empty(t, o.lines(), format.Name)
			assert.Contains(t, o.stdout, "a warning", format.Name)
			continue
		}
		assert.Equal(t, []string{"lab: warning: a warning"}, o.lines(), format.Name)
	}
}

func TestOutputIsAFileAndNotStdout(t *testing.T) {
	f := &fake{}
	out := filepath.Join(t.TempDir(), "deep", "r.json")
	o := try(f.run, "run", "--format", "json", "--output", out)
	require.Zero(t, o.status, o.stderr)
	assert.Empty(t, o.stdout)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.True(t, json.Valid(b))
}

func TestAFailedRunIsStatus1(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(*results.Result) error
		want  string
	}{
		"an error":      {func(*results.Result) error { return errors.New("deadlock at 3 ms") }, "lab: deadlock at 3 ms"},
		"lost commands": {func(r *results.Result) error { r.Commands.Lost = 2; return nil }, "lab: 2 commands were lost under strategy host-lock"},
		"open budget": {func(r *results.Result) error { r.CPU.Budget.Set("work", 80); return nil },
			"lab: the budget does not close: its rows add up to 90.000 % of cores x time"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{alter: c.alter}
			o := try(f.run, "run", "--format", "json")
			assert.Equal(t, 1, o.status)
			assert.Equal(t, c.want, o.lines()[len(o.lines())-1])
			assert.True(t, json.Valid([]byte(o.stdout)), "what was measured is printed")
		})
	}
	o := try(func(context.Context, *experiment.Plan, experiment.Options) (*results.Result, error) {
		return nil, errors.New("no machine")
	}, "run", "--machine", "sim")
	assert.Equal(t, outcome{1, "", "lab: no machine\n"}, o)
}

func TestARequestThatRunRefusesIsStatus2(t *testing.T) {
	o := try(func(context.Context, *experiment.Plan, experiment.Options) (*results.Result, error) {
		return nil, spec.Usagef("unknown parameter %q; legal: a, b", "c")
	}, "run", "--machine", "sim")
	assert.Equal(t, outcome{2, "", "lab: unknown parameter \"c\"; legal: a, b\n"}, o)
}

func TestInterruptKeepsWhatWasMeasured(t *testing.T) {
	for _, alter := range []func(*results.Result) error{
		func(r *results.Result) error { r.Partial = true; return nil },
		func(r *results.Result) error {
			r.Partial = true
			return fmt.Errorf("stopped: %w", context.Canceled)
		},
	} {
		f := &fake{alter: alter}
		o := try(f.run, "run", "--format", "json")
		assert.Equal(t, 130, o.status)
		var r results.Result
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &r))
		assert.True(t, r.Partial)
		assert.Equal(t, "lab: interrupted; the result is partial", o.lines()[len(o.lines())-1])
	}
}

func TestSignals(t *testing.T) {
	var stdout, stderr syncBuffer
	a := newApp(&stdout, &stderr)
	signals := make(chan os.Signal, 2)
	a.signals = signals
	ended := make(chan int, 1)
	a.grace = time.Millisecond
	a.exit = func(status int) { ended <- status }
	a.run = func(ctx context.Context, _ *experiment.Plan, _ experiment.Options) (*results.Result, error) {
		signals <- os.Interrupt
		<-ctx.Done()
		signals <- os.Interrupt
		assert.Equal(t, 130, <-ended, "the second one ends the process")
		return &results.Result{Partial: true}, ctx.Err()
	}
	assert.Equal(t, 130, a.main([]string{"run", "--machine", "sim"}))
	assert.Contains(t, stderr.String(), "lab: interrupted: finishing with what was measured; twice more stops at once\n")
}
