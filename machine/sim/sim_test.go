package sim

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

func newSim(t testing.TB, cfg Config) *Sim {
	t.Helper()
	if cfg.Costs == (Costs{}) {
		cfg.Costs = DefaultCosts()
	}
	s, err := New(cfg)
	require.NoError(t, err)
	return s
}

// loop runs n threads that work outside for a mean time, then inside one lock.
func loop(s *Sim, n int, outside, inside machine.Dist) *machine.SpinLock {
	l := new(machine.SpinLock)
	l.Init(s, "host_lock")
	for i := range n {
		s.Go("worker-"+string(rune('a'+i%26))+string(rune('a'+i/26)), i, false, func(t *machine.Thread) {
			for !s.Stopping() {
				t.Work(outside.Draw(t.Rand()))
				off := t.IRQSave()
				l.Lock(t)
				t.Work(inside.Draw(t.Rand()))
				l.Unlock(t)
				t.IRQRestore(off)
			}
		})
	}
	return l
}

func budget(a *machine.Account) (sum time.Duration, by [machine.WhatCount]time.Duration) {
	for _, m := range a.Samples {
		sum += m.Time
		by[m.What] += m.Time
	}
	return
}

func TestBudgetCloses(t *testing.T) {
	s := newSim(t, Config{Cores: 16, Sockets: 2, Seed: 1})
	loop(s, 32, machine.Dist{Mean: 5 * time.Microsecond, Shape: machine.Exponential}, machine.Dist{Mean: time.Microsecond, Shape: machine.Lognormal, CV: 0.5})
	a, err := s.Run(context.Background(), machine.Course{Warmup: time.Millisecond, Duration: 50 * time.Millisecond})
	require.NoError(t, err)
	sum, by := budget(a)
	t.Log(by, a.Events, a.Locks)
	require.InEpsilon(t, float64(a.Window)*16, float64(sum), 1e-3)
}
