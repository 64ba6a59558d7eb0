package sim

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/machine"
)

// orderProgram is a load whose rates hang on the order of what its threads do.
type orderProgram struct {
	cores, sockets int
	kind           machine.Kind
	hold, think    time.Duration
	fixed          bool // else exponential
	inside         int  // lines that the holder writes
	outside        int  // words that everybody adds to, and reads, between two holds
}

// measured is what a program came to: acquisitions a microsecond, and how the
// processor time divides.
type measured struct {
	rate  float64
	share [machine.WhatCount]float64 // percent
}

// programRun makes about so many acquisitions under a quantum.
func programRun(t require.TestingT, g orderProgram, quantum time.Duration, seed uint64, acquisitions int) measured {
	c := DefaultCosts()
	c.Quantum = quantum
	s, err := New(Config{Cores: g.cores, Sockets: g.sockets, Seed: seed, Costs: c,
		LockKinds: map[string]machine.Kind{"host_lock": g.kind}})
	require.NoError(t, err)
	var l machine.SpinLock
	l.Init(s, "host_lock")
	lines := make([]*machine.Line, g.inside)
	for i := range lines {
		lines[i] = machine.NewLine("inside")
	}
	words := make([]machine.Word, g.outside)
	for i := range words {
		words[i].Init(machine.NewLine("outside"), 0)
	}
	done := 0
	for i := range g.cores {
		s.Go(fmt.Sprintf("worker-%d", i), i, false, func(th *machine.Thread) {
			hold := machine.Dist{Mean: g.hold, Shape: machine.Exponential}
			think := machine.Dist{Mean: g.think, Shape: machine.Exponential}
			if g.fixed {
				hold.Shape, think.Shape = machine.Fixed, machine.Fixed
			}
			for !s.Stopping() {
				th.Work(think.Draw(th.Rand()))
				for j := range words {
					words[j].Load(th)
					words[j].Add(th, 1)
				}
				off := th.IRQSave()
				l.Lock(th)
				for _, ln := range lines {
					th.Touch(ln)
				}
				th.Work(hold.Draw(th.Rand()))
				l.Unlock(th)
				th.IRQRestore(off)
				if done++; done == acquisitions {
					s.Stop()
				}
			}
		})
	}
	a, err := s.Run(context.Background(), machine.Course{Warmup: 100 * time.Microsecond, Duration: time.Hour})
	require.NoError(t, err)
	sum, by := budget(a)
	m := measured{rate: float64(a.Locks[0].Acquisitions) / float64(a.Window.Microseconds())}
	for w, d := range by {
		m.share[w] = 100 * float64(d) / float64(sum)
	}
	return m
}

// programMean is the mean over five seeds, and the standard error of its rate, as
// a fraction: a few cores that take turns keep their order for long, and their
// rate hangs on it.
func programMean(t require.TestingT, g orderProgram, quantum time.Duration, acquisitions int) (m measured, stderr float64) {
	const seeds = 5
	var square float64
	for seed := range uint64(seeds) {
		one := programRun(t, g, quantum, seed+1, acquisitions)
		m.rate += one.rate / seeds
		square += one.rate * one.rate / seeds
		for w := range m.share {
			m.share[w] += one.share[w] / seeds
		}
	}
	return m, math.Sqrt(max(0, square-m.rate*m.rate)/(seeds-1)) / m.rate
}

// requireSame compares a program's rates under the default quantum and in exact
// order: throughput within 2 %, each share within a point, and as many standard
// errors of both besides as leave chance out.
func requireSame(t require.TestingT, g orderProgram, acquisitions int) {
	a, sa := programMean(t, g, DefaultCosts().Quantum, acquisitions)
	b, sb := programMean(t, g, 0, acquisitions)
	chance := 4 * math.Hypot(sa, sb)
	require.Less(t, math.Abs(a.rate/b.rate-1), 0.02+chance, "%+v: rate %.3f, exactly %.3f", g, a.rate, b.rate)
	for w := range a.share {
		require.Less(t, math.Abs(a.share[w]-b.share[w]), 1+100*chance, "%+v: share of %v", g, machine.What(w))
	}
}

// The default quantum gives what exact order gives: throughput within 2 %, and
// each share within a point.
func TestOrder(t *testing.T) {
	virtualOnly(t)
	for _, g := range []orderProgram{
		{cores: 32, sockets: 2, kind: machine.Queued, hold: 100, think: 100, inside: 1, fixed: true},
		{cores: 32, sockets: 2, kind: machine.Queued, hold: 100, think: 100, fixed: true},
		{cores: 32, sockets: 2, kind: machine.Ticket, hold: 200, think: 1000, fixed: true},
		{cores: 7, sockets: 4, kind: machine.Ticket, hold: 166, think: 51, inside: 1, outside: 1},
		{cores: 64, sockets: 4, kind: machine.TAS, hold: 50, think: 10000, inside: 4},
		{cores: 2, sockets: 1, kind: machine.Ticket, hold: 50, think: 50, inside: 2},
		{cores: 16, sockets: 2, kind: machine.TTAS, hold: 200, think: 1000, inside: 1},
		{cores: 8, sockets: 2, kind: machine.Queued, hold: 1000, think: 5000, outside: 1},
	} {
		t.Run(fmt.Sprintf("%+v", g), func(t *testing.T) {
			t.Parallel()
			requireSame(t, g, 100_000)
		})
	}
}

// The same of any program of a lock, words and lines.
func TestOrderProperty(t *testing.T) {
	virtualOnly(t)
	logUniform := func(rt *rapid.T, name string) time.Duration {
		return time.Duration(50 * math.Pow(200, rapid.Float64Range(0, 1).Draw(rt, name)))
	}
	rapid.Check(t, func(rt *rapid.T) {
		g := orderProgram{
			cores: rapid.IntRange(2, 64).Draw(rt, "cores"), kind: rapid.SampledFrom([]machine.Kind{machine.Ticket, machine.TAS, machine.Queued, machine.TTAS}).Draw(rt, "kind"),
			hold: logUniform(rt, "hold"), think: logUniform(rt, "think"),
			inside: rapid.IntRange(0, 4).Draw(rt, "inside"), outside: rapid.IntRange(0, 2).Draw(rt, "outside"),
		}
		g.sockets = rapid.IntRange(1, min(4, g.cores)).Draw(rt, "sockets")
		requireSame(rt, g, 5_000)
	})
}
