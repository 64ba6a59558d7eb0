package sim

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// leaky is a hand-made lock whose holder returns without giving it back.
func leaky(t *testing.T, cores int) *Sim {
	s, err := New(Config{Cores: cores, Seed: 1, Costs: DefaultCosts()})
	require.NoError(t, err)
	s.About("strategy leaky", "")
	var word machine.Word
	word.Init(machine.NewLine("own_lock"), 0)
	for n := range 2 * cores {
		s.Go("issuer", n, false, func(t *machine.Thread) {
			for !word.CAS(t, 0, 1) {
				t.Relax(&word)
			}
		})
	}
	return s
}

func TestALockLeftTakenEndsTheRun(t *testing.T) {
	for _, cores := range []int{1, 4} {
		_, err := leaky(t, cores).Run(context.Background(), machine.Course{Duration: time.Hour})
		var l *Livelock
		require.ErrorAs(t, err, &l)
		assert.Equal(t, "own_lock", l.Line)
		assert.Equal(t, "strategy leaky", l.Code)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// A holder that others keep from its core for many slices is no livelock.
func TestAHolderThatWaitsForItsCoreIsNoLivelock(t *testing.T) {
	s, err := New(Config{Cores: 1, Seed: 1, Costs: DefaultCosts()})
	require.NoError(t, err)
	var word machine.Word
	word.Init(machine.NewLine("own_lock"), 0)
	for range 6 {
		s.Go("issuer", 0, false, func(t *machine.Thread) {
			for !word.CAS(t, 0, 1) {
				t.Relax(&word)
			}
			t.Work(2 * s.cost.Slice)
			word.Store(t, 0)
		})
	}
	acct, err := s.Run(context.Background(), machine.Course{Duration: 1})
	require.NoError(t, err)
	assert.False(t, acct.Undrained)
}

// A run whose threads do not finish ends soon once it is interrupted, with what
// was measured.
func TestAnInterruptEndsTheDrain(t *testing.T) {
	s, err := New(Config{Cores: 1, Seed: 1, Costs: DefaultCosts()})
	require.NoError(t, err)
	s.Go("busy", 0, false, func(t *machine.Thread) {
		for {
			t.Work(time.Microsecond)
			t.Sleep(time.Microsecond)
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	const ever = 1 << 60
	acct, err := s.Run(ctx, machine.Course{Duration: time.Millisecond, Drain: ever, End: cancel})
	require.ErrorIs(t, err, context.Canceled)
	require.NotNil(t, acct)
	assert.True(t, acct.Undrained)
	assert.Equal(t, time.Millisecond, acct.Window)
}
