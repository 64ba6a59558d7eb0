package explore_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/machine/explore"
)

// racy counts up by a load and a store, where plain is set, and down by one
// operation: n times, by two threads.
func racy(m *mach, w *machine.Word, plain bool, n int) {
	for i := range 2 {
		m.Go(fmt.Sprint("t", i), i, false, func(t *thread) {
			for range n {
				if plain {
					w.Store(t, w.Load(t)+1)
				} else {
					w.Add(t, 1)
				}
			}
			for range n {
				w.Dec(t)
			}
		})
	}
}

// What one schedule has left behind on a system that several share is not blamed
// on a later one, in which nothing races: the finding is found again on a system
// of its own, with the switch that it needs.
func TestAFaultIsFoundAgainOnASystemOfItsOwn(t *testing.T) {
	test := func(m *mach) (func() error, error) {
		w, _ := m.Kept().(*machine.Word)
		if w == nil {
			w = word(0)
		}
		m.Keep(w)
		racy(m, w, true, 1)
		return func() error {
			if m.Seed()%4 == 0 { // one schedule in four looks
				return equal(w, 0)()
			}
			return nil
		}, nil
	}
	alone := 0
	for seed := range uint64(10) {
		cfg := explore.Config{Seed: seed, Reuse: 16}
		r, err := explore.Run(context.Background(), cfg, test)
		require.NoError(t, err)
		f := r.Failure
		require.NotNil(t, f)
		require.Positive(t, f.Switches, "seed %d: a trace in which nothing races", seed)
		if f.Alone {
			alone++
		}
		again, err := explore.Replay(cfg, f.Schedule, test)
		require.NoError(t, err)
		require.NotNil(t, again, f.Schedule)
		require.Equal(t, f.What, again.What)
		require.False(t, again.Changed)
	}
	require.Positive(t, alone, "no finding was on a system that others had used")
}

// A count that comes back whenever threads run one after another must come back in
// every schedule; a number that only grows is listed, and not held to it.
func TestCountsComeBack(t *testing.T) {
	run := func(plain bool) *explore.Report {
		r, err := explore.Run(context.Background(), explore.Config{Seed: 1, Schedules: 500, Returns: true}, func(m *mach) (func() error, error) {
			slots, serial := new(machine.Word), new(machine.Word)
			slots.Init(machine.NewLine("slots"), 0)
			serial.Init(machine.NewLine("serial"), 0)
			racy(m, slots, plain, 2)
			for i := range 2 {
				m.Go(fmt.Sprint("numbers", i), i, false, func(t *thread) { serial.Add(t, 1); serial.Add(t, 1) })
			}
			m.ComesBack()
			return nil, nil
		})
		require.NoError(t, err)
		return r
	}
	r := run(false)
	require.Nil(t, r.Failure)
	require.Equal(t, []string{"serial"}, r.Unchecked)

	f := run(true).Failure
	require.NotNil(t, f)
	assert.Equal(t, explore.Check, f.Kind)
	assert.Regexp(t, `slots#1 is \d+, was 0`, f.What)
	assert.Positive(t, f.Switches)
}

// A trace tells what words held, before and after.
func TestATraceHasValues(t *testing.T) {
	r, err := explore.Run(context.Background(), explore.Config{Seed: 1}, textbook[0].test)
	require.NoError(t, err)
	require.NotNil(t, r.Failure)
	var got [][2]uint64
	for _, s := range r.Failure.Trace {
		if s.Object == "word#1" {
			require.True(t, s.Word)
			require.True(t, s.Shared)
			got = append(got, [2]uint64{s.Before, s.After})
		}
	}
	// Both load 0; the first stores 1, and the second stores 1 once more.
	require.Equal(t, [][2]uint64{{0, 0}, {0, 0}, {0, 1}, {1, 1}}, got)
	var b bytes.Buffer
	require.NoError(t, r.Failure.Print(&b, nil))
	assert.Contains(t, b.String(), "word#1 = 0 ")
	assert.Contains(t, b.String(), "word#1: 0 -> 1 ")
}

// A schedule of a program that has changed since does not pass for its verdict.
func TestAReplayIsOutOfDate(t *testing.T) {
	program := func(plain bool, looks int) explore.Test {
		return func(m *mach) (func() error, error) {
			w := word(0)
			for i := range 2 {
				m.Go(fmt.Sprint("t", i), i, false, func(t *thread) {
					for range looks {
						w.Load(t)
					}
					if plain {
						w.Store(t, w.Load(t)+1)
					} else {
						w.Add(t, 1)
					}
				})
			}
			return equal(w, 2), nil
		}
	}
	cfg := explore.Config{Seed: 1}
	r, err := explore.Run(context.Background(), cfg, program(true, 1))
	require.NoError(t, err)
	require.NotNil(t, r.Failure)
	same, err := explore.Replay(cfg, r.Failure.Schedule, program(true, 1))
	require.NoError(t, err)
	require.NotNil(t, same)
	require.False(t, same.Changed)

	_, err = explore.Replay(cfg, r.Failure.Schedule, program(false, 1))
	require.ErrorIs(t, err, explore.ErrOutOfDate, "mended")

	broken, err := explore.Replay(cfg, r.Failure.Schedule, func(m *mach) (func() error, error) {
		_, err := program(true, 0)(m)
		return func() error { return fmt.Errorf("wrong") }, err
	})
	require.NoError(t, err)
	require.NotNil(t, broken)
	require.True(t, broken.Changed, "other steps, and still a failure")
}
