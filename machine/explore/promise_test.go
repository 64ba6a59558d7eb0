package explore_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/machine/explore"
)

// A seed determines everything: failure, schedule and trace.
func TestDeterminism(t *testing.T) {
	find := func(seed uint64) *explore.Report {
		r, err := explore.Run(context.Background(), explore.Config{Seed: seed, Schedules: 5000}, textbook[4].test)
		require.NoError(t, err)
		require.NotNil(t, r.Failure)
		r.Elapsed = 0
		return r
	}
	require.Equal(t, find(3), find(3))
}

// A schedule can be replayed by number alone.
func TestReplayByNumber(t *testing.T) {
	cfg := explore.Config{Seed: 5, Schedules: 5000, NoShrink: true}
	r, err := explore.Run(context.Background(), cfg, textbook[4].test)
	require.NoError(t, err)
	f, err := explore.Replay(cfg, fmt.Sprintf("5:%d", r.Failure.Index), textbook[4].test)
	require.NoError(t, err)
	require.NotNil(t, f)
	require.Equal(t, r.Failure.What, f.What)
	for _, bad := range []string{"", "5", "5:", "x:1", "5:x", "5:1:what", "5:-1"} {
		_, err := explore.Replay(cfg, bad, textbook[4].test)
		require.ErrorContains(t, err, "legal", bad)
	}
}

// PCT keeps its word on a fault of depth 2 that a random walk hardly meets:
// one store must come right at the end of a long thread.
func TestPCTPromise(t *testing.T) {
	const k = 60
	test := func(m *mach) (func() error, error) {
		w := word(0)
		var seen uint64
		m.Go("long", 0, false, func(t *machine.Thread) {
			for range k {
				w.Load(t)
			}
			w.Store(t, 1)
			seen = w.Load(t)
		})
		m.Go("short", 1, false, func(t *machine.Thread) { w.Store(t, 2) })
		return func() error {
			if seen == 2 {
				return fmt.Errorf("overwritten")
			}
			return nil
		}, nil
	}
	found := 0
	const runs = 40
	var promise float64
	for seed := range uint64(runs) {
		r, err := explore.Run(context.Background(), explore.Config{Seed: seed, Schedules: 400, Depth: 2, NoShrink: true, Cores: 2}, test)
		require.NoError(t, err)
		promise = r.Probability(2)
		if r.Failure != nil {
			found++
		}
	}
	// 200 PCT schedules each.
	t.Logf("a schedule finds it with at least %.5f; %d of %d runs of 400 schedules did", promise, found, runs)
	require.Greater(t, found, runs/2)
}

// One schedule's promise over many, as the complement of all missing.
func TestChanceOfARun(t *testing.T) {
	r := explore.Report{Agents: 4, Length: 25}
	require.InDelta(t, 0.01, r.Chance(2, 1), 1e-12)
	require.InDelta(t, 0.633968, r.Chance(2, 100), 1e-6)
	require.Zero(t, r.Chance(2, 0))
	require.Equal(t, 1.0, (&explore.Report{Agents: 1, Length: 1}).Chance(2, 3))
}

// As a machine.Machine it runs what the other machines run.
func TestAsMachine(t *testing.T) {
	m := explore.New(explore.Config{Seed: 1, Cores: 2})
	defer m.Close()
	l := spin(m, "l")
	n := 0
	for i := range 3 {
		m.Go(fmt.Sprint("t", i), i, false, func(t *machine.Thread) {
			for !m.Stopping() {
				t.Work(time.Microsecond)
				l.Lock(t)
				n++
				l.Unlock(t)
			}
		})
	}
	began, ended := 0, 0
	a, err := m.Run(context.Background(), machine.Course{Warmup: 100, Duration: 1000, Begin: func() { began = n }, End: func() { ended = n }})
	require.NoError(t, err)
	require.Positive(t, began)
	require.Greater(t, ended, began)
	require.Equal(t, 2, a.Cores)
	require.Equal(t, "explore", m.Name())
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cfg := explore.Config{Schedules: 1 << 30, Progress: func(r explore.Report) {
		if r.Schedules >= 1024 {
			cancel()
		}
	}}
	r, err := explore.Run(ctx, cfg, steps([]int{2, 2}, true, true))
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, r.Schedules, 1024)
}

// A test that cannot be set up says so.
func TestSetUpFails(t *testing.T) {
	_, err := explore.Run(context.Background(), explore.Config{}, func(*mach) (func() error, error) { return nil, fmt.Errorf("no such strategy") })
	require.ErrorContains(t, err, "no such strategy")
}

// BenchmarkSteps is one operation of four threads under each kind of schedule.
func BenchmarkSteps(b *testing.B) {
	r, err := explore.Run(context.Background(), explore.Config{Schedules: max(b.N/1000, 1)}, steps([]int{250, 250, 250, 250}, true, true))
	require.NoError(b, err)
	b.ReportMetric(float64(r.Elapsed.Nanoseconds())/float64(r.Steps), "ns/step")
}
