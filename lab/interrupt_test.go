package lab

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/results"
)

// interrupted runs a command line whose n-th run, from 1, meets a Ctrl-C as it
// begins; 0 is a Ctrl-C before anything.
func interrupted(run experiment.Runner, n int32, args ...string) outcome {
	var stdout bytes.Buffer
	var stderr syncBuffer
	a := newApp(&stdout, &stderr)
	signals := make(chan os.Signal, 1)
	a.signals = signals
	var runs atomic.Int32
	a.run = func(ctx context.Context, p *experiment.Plan, o experiment.Options) (*results.Result, error) {
		if runs.Add(1) == max(n, 1) {
			signals <- os.Interrupt
			<-ctx.Done()
		}
		return run(ctx, p, o)
	}
	status := a.main(args)
	return outcome{status, stdout.String(), stderr.String()}
}

// Whatever is interrupted ends with 130, keeps what was done, and says that it
// is a part; where nothing was, it says that.
func TestInterruptsOfEveryStage(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		run     int32
		command string
		keeps   bool
	}{
		{1, "run --machine sim", false},
		{1, "run --machine live --strategy ring", false},
		{1, "reproduce chen-2010", false},
		{2, "reproduce chen-2010 --duration 5ms", true},
		{2, "reproduce chen-2010 --duration 5ms --format json", true},
		{2, "reproduce chen-2010 --duration 5ms --format csv", true},
		{1, "profile --profiles " + dir + " --results " + dir, false},
		{2, "profile --duration 5ms --profiles " + dir + " --results " + dir, true},
		{1, "sweep --cores 1,2 --duration 5ms", true},
		{6, "sweep --cores 1,2,4,8 --duration 5ms --format json", true},
		{2, "compare host-lock ring --cores 2 --duration 5ms", false},
	} {
		run := experiment.Runner(experiment.Run) // in whose warm-up nothing is measured yet
		if c.keeps {
			run = brief
		}
		o := interrupted(run, c.run, strings.Fields(c.command)...)
		require.Equal(t, exitInterrupted, o.status, "%s: %s", c.command, o.stderr)
		last := o.lines()[len(o.lines())-1]
		if !c.keeps {
			assert.Empty(t, o.stdout, c.command)
			assert.Equal(t, "lab: interrupted before anything was measured; nothing was written", last, c.command)
			continue
		}
		assert.Equal(t, "lab: interrupted; the result is partial", last, c.command)
		assert.Contains(t, strings.ToLower(o.stdout), "partial", c.command)
	}
}

func TestAFailureOutranksAnInterrupt(t *testing.T) {
	var stderr bytes.Buffer
	a := newApp(&bytes.Buffer{}, &stderr)
	assert.Equal(t, exitInterrupted, a.status(context.Canceled))
	assert.Equal(t, exitInterrupted, a.status(errInterrupted))
	assert.Equal(t, exitFailed, a.status(errors.Join(errInterrupted, os.ErrPermission)), "what was measured is lost")
	assert.Equal(t, exitUsage, a.status(errors.Join(errInterrupted, usagef("wrong"))))
	stderr.Reset()
	a.status(usagef("unknown %s; legal: this", strings.Repeat("é", 100000)))
	assert.Less(t, len(stderr.String()), longLine+100)
	assert.True(t, strings.HasSuffix(stderr.String(), "; legal: this\n"), "what is legal stays")
}

// What runs without an experiment is a part just the same.
func TestInterruptsOfSearches(t *testing.T) {
	for _, command := range []string{
		"verify --strategy ring --schedules 100000000",
		"verify --strategy ring --schedules 100000000 --format json",
		"soak --strategy ring --machine sim --commands 1000000000",
		"soak --strategy ring --machine sim --commands 1000000000 --format json",
	} {
		var stdout bytes.Buffer
		var stderr syncBuffer
		a := newApp(&stdout, &stderr)
		signals := make(chan os.Signal, 1)
		signals <- os.Interrupt
		a.signals = signals
		assert.Equal(t, exitInterrupted, a.main(strings.Fields(command)), "%s: %s", command, stderr.String())
		assert.Contains(t, strings.ToLower(stdout.String()), "partial", command)
	}
}
