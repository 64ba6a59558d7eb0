package lab

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/results"
)

// outcome is how a command line ended.
type outcome struct {
	status         int
	stdout, stderr string
}

// lines are those of stderr.
func (o outcome) lines() []string {
	if o.stderr == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(o.stderr, "\n"), "\n")
}

// try runs a command line with another experiment.Run.
func try(r experiment.Runner, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	a := newApp(&stdout, &stderr)
	a.run, a.derive = r, underived
	status := a.main(args)
	return outcome{status, stdout.String(), stderr.String()}
}

// underived leaves a load as it is, which takes no time.
func underived(_ context.Context, p *experiment.Plan) (*experiment.Plan, error) { return p, nil }

// never is a run that must not be reached.
func never(t *testing.T) experiment.Runner {
	return func(context.Context, *experiment.Plan, experiment.Options) (*results.Result, error) {
		t.Error("something was run")
		return nil, nil
	}
}

// fake is a run that hits the published table, and remembers what was asked.
type fake struct {
	asked []experiment.Request
	opts  []experiment.Options
	alter func(*results.Result) error
}

func (f *fake) run(_ context.Context, p *experiment.Plan, opts experiment.Options) (*results.Result, error) {
	f.asked, f.opts = append(f.asked, p.Request()), append(f.opts, opts)
	strategy := p.Identity().Strategy
	r := &results.Result{
		Experiment: results.Identity{Name: p.Identity().Name, Strategy: strategy, Machine: "sim", Cores: 64, Threads: 128, Duration: 2},
		IOPS:       62900, ThroughputMB: 500, CPU: results.CPU{Busy: 90, HostLock: 23.7, Budget: results.Shares{{Name: "work", Value: 90}, {Name: "idle", Value: 10}}},
		Warnings: []string{"a warning"},
	}
	values := []float64{5.5, 6.1, 6.6, 5.5}
	if strategy == "unlocked-qcmds" {
		r.IOPS, r.CPU.HostLock, values = 69600, 1.8, []float64{0.44, 0.66, 0.35, 0.35}
	}
	for i, name := range results.Functions {
		r.CPU.HostLockByFunction.Set(name, values[i])
	}
	if f.alter != nil {
		return r, f.alter(r)
	}
	return r, nil
}

// file writes a file into a directory of the test.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// brief is experiment.Run without the experiment's warm-up, which takes most of
// a short run.
func brief(ctx context.Context, p *experiment.Plan, opts experiment.Options) (*results.Result, error) {
	r := p.Request()
	r.Warmup = 1 // ns
	p, err := experiment.NewPlan(p.Spec(), r)
	if err != nil {
		return nil, err
	}
	return experiment.Run(ctx, p, opts)
}
