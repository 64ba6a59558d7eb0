package profiles

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/machine/sim"
	"hostlock/results"
)

// simulate runs the fixture's path on a machine in virtual time.
func simulate(t testing.TB, cores int, seed uint64) *machine.Account {
	t.Helper()
	s, err := sim.New(sim.Config{Cores: cores, Sockets: 2, Seed: seed, Costs: sim.DefaultCosts()})
	require.NoError(t, err)
	h := &host{}
	h.hostLock.Init(s, "host_lock")
	h.queueLock.Init(s, "queue_lock")
	h.ring.Init(machine.NewLine("ring_tail"), 0)
	for i := range cores {
		s.Go("writer", i, false, func(t *machine.Thread) {
			for !s.Stopping() {
				t.Work(time.Duration(t.Rand().Int64N(int64(20 * time.Microsecond))))
				h.write(t)
			}
		})
	}
	a, err := s.Run(context.Background(), machine.Course{Warmup: time.Millisecond, Duration: 20 * time.Millisecond})
	require.NoError(t, err)
	return a
}

func TestSimulatedRunComesBackAsItsAccount(t *testing.T) {
	a := simulate(t, 16, 1)
	p, err := CPU(a, fixtureInfo)
	require.NoError(t, err)
	got, err := Attribute(p, Options{})
	require.NoError(t, err)

	var by [machine.WhatCount]time.Duration
	for _, s := range a.Samples {
		by[s.What] += s.Time
	}
	for what := range machine.Idle {
		require.Equal(t, by[what], share(got.ByWhat, what.String()).Time, what)
	}
	require.Positive(t, got.HostLock.Time)
	require.Equal(t, by[machine.Spinning]+by[machine.LineWait]+by[machine.Retrying], got.Contention.Time)

	// Stacks and sections are kept apart in the machine and must agree.
	for _, s := range p.Sample {
		r := readStack(s)
		require.Equal(t, function(s, r), orOther(r.function), "%v %v", s.Label, names(s))
		for _, name := range names(s) {
			pkg := packageOf(name)
			require.NotContains(t, []string{simPackage, "runtime", "iter"}, pkg, "%v %v", s.Label, names(s))
		}
	}

	c, err := Contention(a, fixtureInfo)
	require.NoError(t, err)
	var wait, blocked, hold time.Duration
	for _, s := range c.Sample {
		wait += time.Duration(s.Value[1])
		blocked += time.Duration(s.Value[2])
		hold += time.Duration(s.Value[3])
	}
	require.Equal(t, got.Contention.Time, wait)
	require.Positive(t, hold)
	// What holders made others wait is nearly all that these waited. The rest
	// is waiting for a release that a thread had made a little ahead of time.
	require.Positive(t, blocked)
	require.LessOrEqual(t, blocked, by[machine.Spinning])
	require.InEpsilon(t, float64(by[machine.Spinning]), float64(blocked), 0.1)
}

func orOther(function string) string {
	if function == "" {
		return results.Other
	}
	return function
}

func TestSimulatedRunTwiceIsByteIdentical(t *testing.T) {
	var want []byte
	for range 2 {
		p, err := CPU(simulate(t, 8, 5), fixtureInfo)
		require.NoError(t, err)
		got := encode(t, p)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
	}
}

// BenchmarkWrite is what a run pays for its two profiles: 64 cores, some 200
// places, none idle.
func BenchmarkWrite(b *testing.B) {
	a := fixture(64)
	turn := a.Samples
	for i := range 9 {
		for _, s := range turn {
			s.Path = append(s.Path[:len(s.Path):len(s.Path)], strconv.Itoa(i))
			a.Samples = append(a.Samples, s)
		}
	}
	b.ReportMetric(float64(len(a.Samples)), "rows")
	dir := b.TempDir()
	b.ResetTimer()
	for b.Loop() {
		if _, err := WriteAccount(dir, a, fixtureInfo); err != nil {
			b.Fatal(err)
		}
	}
}
