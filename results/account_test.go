package results

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/machine"
)

func sum(s Shares) (total float64) {
	for _, e := range s {
		total += e.Value
	}
	return total
}

func TestFromAccount(t *testing.T) {
	m, err := FromAccount(account())
	require.NoError(t, err)
	assert.InDelta(t, 50, m.CPU.Busy, 1e-9)
	assert.InDelta(t, 11, m.CPU.HostLock, 1e-9)
	assert.InDelta(t, 15, m.CPU.Contention, 1e-9)
	assert.InDelta(t, m.CPU.Contention, sum(m.CPU.ContentionByClass), 1e-9)
	assert.InDelta(t, 100, sum(m.CPU.Budget), 1e-9)
	assert.Equal(t, "work.ffsb", m.CPU.Budget[0].Name)
	assert.Equal(t, "idle", m.CPU.Budget[len(m.CPU.Budget)-1].Name)
	assert.InDelta(t, 11, m.Counters.HostLock, 1e-9)
	assert.InDelta(t, 15, m.Counters.Contention, 1e-9)
}

func TestLocksAreSortedAsTheKernelSortsThem(t *testing.T) {
	m, err := FromAccount(account())
	require.NoError(t, err)
	require.Len(t, m.Locks, 3)
	assert.Equal(t, "host_lock", m.Locks[0].Class)
	assert.Equal(t, "FreeQ", m.Locks[1].Class)
	assert.True(t, m.Locks[2].HoldSampled)
	assert.Equal(t, Times{Min: 2000, Max: 20000, Total: 110000, Avg: 9166}, m.Locks[0].Wait)
	assert.Equal(t, []Point{{"scsi_request_fn", 6}, {"scsi_dispatch_cmd", 5}, {"elevator", 1}}, m.Locks[0].Waiters)
	assert.Equal(t, []Point{{"scsi_request_fn", 20}, {"scsi_dispatch_cmd", 12}}, m.Locks[0].Holders)
}

// Waiters of a sleeping lock cost the cores nothing: their waits are no
// contention.
func TestSleepingLocksDoNotSpin(t *testing.T) {
	a := account()
	a.Locks = append(a.Locks, machine.LockStat{Class: "filelist", Contentions: 9, Wait: machine.Extremes{Total: time.Hour, Count: 9}})
	m, err := FromAccount(a)
	require.NoError(t, err)
	assert.InDelta(t, 15, m.Counters.Contention, 1e-9)
}

func TestABudgetThatDoesNotCloseIsAnError(t *testing.T) {
	a := account()
	a.Samples[0].Time += 3 * time.Microsecond
	_, err := FromAccount(a)
	assert.ErrorContains(t, err, "does not close: its rows add up to 100.150 %")
	a = account()
	a.Samples = a.Samples[:3]
	_, err = FromAccount(a)
	assert.ErrorContains(t, err, "does not close")
	assert.ErrorContains(t, CheckBudget(Shares{{"a", 101}, {"b", -1}}), "row b")
	assert.ErrorContains(t, CheckBudget(Shares{{"a", math.NaN()}}), "row a")
}

func TestAnEmptyAccountIsAnError(t *testing.T) {
	_, err := FromAccount(&machine.Account{})
	assert.ErrorContains(t, err, "nothing was measured")
}

func TestAnIdleMachineHasNoShares(t *testing.T) {
	m, err := FromAccount(&machine.Account{Cores: 1, Window: time.Second, Samples: []machine.Sample{{What: machine.Idle, Time: time.Second}}})
	require.NoError(t, err)
	assert.Zero(t, m.CPU.Busy)
	assert.Zero(t, m.CPU.HostLock)
	assert.Equal(t, Shares{{"idle", 100}}, m.CPU.Budget)
}

// Whatever the cores did, a budget of whole cores closes, and rounding it for
// print does not open it.
func TestBudgetClosesWhateverTheCoresDid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &machine.Account{Cores: rapid.IntRange(1, 8).Draw(t, "cores"), Window: time.Second}
		for core := range a.Cores {
			left := time.Second
			for n := rapid.IntRange(0, 20).Draw(t, "n"); n > 0 && left > 0; n-- {
				d := time.Duration(rapid.Int64Range(0, int64(left)).Draw(t, "d"))
				left -= d
				a.Samples = append(a.Samples, machine.Sample{
					What:    machine.What(rapid.IntRange(0, int(machine.WhatCount)-1).Draw(t, "what")),
					Section: rapid.SampledFrom([]string{"", "ffsb", "scsi_request_fn"}).Draw(t, "section"),
					Class:   rapid.SampledFrom([]string{"", "host_lock", "queue_lock"}).Draw(t, "class"),
					Core:    core, Time: d,
				})
			}
			a.Samples = append(a.Samples, machine.Sample{What: machine.Idle, Core: core, Time: left})
		}
		m, err := FromAccount(a)
		if err != nil {
			t.Fatal(err)
		}
		r := (&Result{CPU: m.CPU}).rounded()
		if err := CheckBudget(r.CPU.Budget); err != nil {
			t.Fatal(err)
		}
	})
}
