package sweep

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/results"
)

func TestTheOrderOfRunsDoesNotShow(t *testing.T) {
	plan := planOf(t, request())
	require.Equal(t, requestPoints, plan.Len())
	var first string
	for _, workers := range []int{1, 2, 7, 100} {
		f := &pretend{}
		s, err := plan.Run(t.Context(), Options{Run: f.run, Workers: workers})
		require.NoError(t, err)
		assert.Len(t, f.asked, requestPoints)
		assert.False(t, s.Partial)
		if first == "" {
			first = text(t, s)
		}
		assert.Equal(t, first, text(t, s))
	}
}

// The costliest points run first, so that no core is left with one at the end.
func TestCostliestFirst(t *testing.T) {
	f := &pretend{}
	_, err := planOf(t, Request{Experiment: "chen-2010", Cores: "1,256,64", Duration: time.Second}).Run(t.Context(), Options{Run: f.run, Workers: 1})
	require.NoError(t, err)
	assert.Equal(t, []int{256, 64, 1}, []int{f.asked[0].Cores, f.asked[1].Cores, f.asked[2].Cores})
}

func TestInterruptAndResume(t *testing.T) {
	whole, err := planOf(t, request()).Run(t.Context(), Options{Run: (&pretend{}).run})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "deep", "sweep.json")

	ctx, cancel := context.WithCancel(t.Context())
	f := &pretend{fail: func(n int, _ experiment.Request) error {
		if n == 10 {
			cancel()
			return ctx.Err()
		}
		return nil
	}}
	store, done, err := Open(file)
	require.NoError(t, err)
	assert.Empty(t, done)
	s, err := planOf(t, request()).Run(ctx, Options{Run: f.run, Workers: 1, Save: store.Save})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Len(t, s.Points, 9)
	assert.True(t, s.Partial)
	assert.Equal(t, requestPoints-9, s.Missing)
	require.NoError(t, store.Flush())

	store, done, err = Open(file)
	require.NoError(t, err)
	assert.Len(t, done, 9)
	f = &pretend{}
	s, err = planOf(t, request()).Run(t.Context(), Options{Run: f.run, Done: done, Save: store.Save})
	require.NoError(t, err)
	require.NoError(t, store.Flush())
	assert.Len(t, f.asked, requestPoints-9, "nothing runs twice")
	assert.Equal(t, text(t, whole), text(t, s))
	kept, err := Read(file)
	require.NoError(t, err)
	assert.Equal(t, text(t, whole), text(t, kept))
}

// A sweep that is widened runs what is new; one that lacks points of the file
// is refused, since writing the file again would lose them.
func TestResumeAnotherSweep(t *testing.T) {
	small, wide := request(), request()
	wide.Cores, wide.Seeds = "1..8", "1..3"
	s, err := planOf(t, small).Run(t.Context(), Options{Run: (&pretend{}).run})
	require.NoError(t, err)
	f := &pretend{}
	got, err := planOf(t, wide).Run(t.Context(), Options{Run: f.run, Done: s.Points})
	require.NoError(t, err)
	assert.Len(t, f.asked, 2*4*2*3-requestPoints)
	_, err = planOf(t, small).Run(t.Context(), Options{Run: f.run, Done: got.Points})
	var bad *spec.UsageError
	require.ErrorAs(t, err, &bad)
	assert.ErrorContains(t, err, "is no part of this sweep")
}

func TestAPointThatFailsLeavesTheOthers(t *testing.T) {
	f := &pretend{fail: func(_ int, o experiment.Request) error {
		if o.Strategy == "ring" && o.Cores == 2 && o.Seed.N == 2 {
			return errors.New("deadlock")
		}
		return nil
	}}
	s, err := planOf(t, request()).Run(t.Context(), Options{Run: f.run})
	assert.EqualError(t, err, "ring, 2 cores, mptsas.queuecommand=1us, seed 2: deadlock\nring, 2 cores, mptsas.queuecommand=2us, seed 2: deadlock")
	assert.Equal(t, 2, s.Missing)
	assert.Len(t, s.Points, requestPoints-2)
}

func TestLostCommandsAreNoFigure(t *testing.T) {
	s, err := planOf(t, Request{Experiment: "chen-2010"}).Run(t.Context(), Options{Run: func(context.Context, *experiment.Plan, experiment.Options) (*results.Result, error) {
		return &results.Result{Commands: results.Commands{Lost: 3}}, nil
	}})
	assert.EqualError(t, err, "host-lock, 64 cores, seed 1: 3 commands were lost")
	assert.Empty(t, s.Points)
}

// What turns out to be a wrong request ends the sweep.
func TestAWrongPointEndsTheSweep(t *testing.T) {
	f := &pretend{fail: func(int, experiment.Request) error { return spec.Usagef("needs the host lock; legal: host-lock") }}
	s, err := planOf(t, request()).Run(t.Context(), Options{Run: f.run, Workers: 1})
	var bad *spec.UsageError
	require.ErrorAs(t, err, &bad)
	assert.Nil(t, s)
	assert.Len(t, f.asked, 1)
}

func TestAFileThatCannotBeWrittenEndsTheSweepAtOnce(t *testing.T) {
	f := &pretend{}
	_, err := planOf(t, request()).Run(t.Context(), Options{Run: f.run, Save: func(*results.Sweep) error { return errors.New("disk full") }})
	assert.EqualError(t, err, "disk full")
	assert.Empty(t, f.asked)
}

func TestAPanicReachesTheCaller(t *testing.T) {
	run := func(context.Context, *experiment.Plan, experiment.Options) (*results.Result, error) { panic("oh no") }
	_, err := planOf(t, request()).Run(t.Context(), Options{Run: run, Workers: 2})
	var panicked *machine.Panicked
	require.ErrorAs(t, err, &panicked)
	assert.Equal(t, "panic: oh no", panicked.What())
	assert.Contains(t, panicked.Stack, "TestAPanicReachesTheCaller", "the stack of whoever panicked")
}

func TestProgress(t *testing.T) {
	last := 0.0
	run := func(ctx context.Context, p *experiment.Plan, o experiment.Options) (*results.Result, error) {
		o.Progress(0.5)
		o.Progress(1)
		return (&pretend{}).run(ctx, p, o)
	}
	_, err := planOf(t, request()).Run(t.Context(), Options{Run: run, Progress: func(p float64) {
		assert.GreaterOrEqual(t, p, last)
		last = p
	}})
	require.NoError(t, err)
	assert.InDelta(t, 1, last, 1e-9)
}

// The real simulator, alone and in company.
func TestVirtualTimeDoesNotMindCompany(t *testing.T) {
	r := Request{Experiment: "chen-2010", Strategies: []string{"host-lock", "ring"}, Cores: "1..8", Weak: true, Duration: 5 * time.Millisecond, Warmup: time.Millisecond}
	var texts []string
	for _, workers := range []int{1, 4} {
		s, err := planOf(t, r).Run(t.Context(), Options{Workers: workers})
		require.NoError(t, err)
		for _, p := range s.Points {
			assert.Positive(t, p.IOPS)
			assert.Equal(t, 2*p.Cores, p.Threads)
		}
		texts = append(texts, text(t, s))
	}
	assert.Equal(t, texts[0], texts[1])
}
