package soak

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
)

// leaky is per-queue behind a hand-made lock, which one return in a hundred
// leaves taken.
type leaky struct {
	dispatch.Strategy
	taken machine.Word
	calls int
}

func (l *leaky) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	for !l.taken.CAS(t, 0, 1) {
		t.Relax(&l.taken)
	}
	cmd := l.Strategy.Next(t, dev)
	if l.calls++; l.calls%100 == 0 {
		return cmd
	}
	l.taken.Store(t, 0)
	return cmd
}

// A livelocked strategy ends a soak in virtual time soon, with the reason.
func TestALivelockEndsTheSoak(t *testing.T) {
	base, err := dispatch.LookupStrategy("per-queue")
	require.NoError(t, err)
	dispatch.RegisterStrategy(dispatch.StrategyInfo{Name: "leaky", About: "a hand-made lock that a return leaves taken", New: func(h *dispatch.Host) (dispatch.Strategy, error) {
		s, err := base.New(h)
		l := &leaky{Strategy: s}
		l.taken.Init(machine.NewLine("own_lock"), 0)
		return l, err
	}})
	r, err := Run(context.Background(), Config{Strategy: "leaky", Machine: "sim", NoFaults: true, Commands: 100000})
	require.NoError(t, err)
	require.NotEmpty(t, r.Problems)
	assert.Contains(t, r.Problems[0], "livelock under strategy leaky")
	assert.Contains(t, r.Problems[0], "own_lock")
}
