package dispatch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// A timer may be late: its command has come back, and its issuer is making the
// next request of it. Until the timer has won the atom it may look at nothing but
// that; the race detector sees to it.
func TestLateTimerLooksAtTheAtomAlone(t *testing.T) {
	for _, state := range []uint64{atomIdle, atomDone, atomCalling} {
		m, err := machine.NewLive(machine.LiveConfig{Calibration: 1})
		require.NoError(t, err)
		sys := &System{m: m, handlesErrors: true}
		dev := &Device{Host: &Host{sys: sys}}
		iss := &Issuer{sys: sys}
		rq := iss.Request(dev, Read, 0, 8, 1, nil)
		iss.give(rq)
		for range chunkSize - 1 {
			iss.give(iss.take())
		}
		rq.Cmd.atom.Init(&rq.Cmd.Line, state)
		m.Go("timer", 0, false, rq.Cmd.expireTimeout)
		m.Go("issuer", 1, false, func(*machine.Thread) {
			require.Same(t, rq, iss.Request(dev, Write, 8, 8, 1, nil))
		})
		_, err = m.Run(t.Context(), machine.Course{})
		require.NoError(t, err)
	}
}
