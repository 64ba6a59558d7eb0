package dispatch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// A request that the path is at for long, as where others feed the queue that its
// end runs, costs its issuer no more than itself: the others go round.
func TestPoolPassesWhoIsStillAtWork(t *testing.T) {
	m, err := machine.NewLive(machine.LiveConfig{Calibration: 1})
	require.NoError(t, err)
	sys := &System{m: m}
	iss := &Issuer{sys: sys}
	stuck := iss.take()
	stuck.life.Store(finished)
	iss.give(stuck)
	for range 1000 {
		rq := iss.take()
		require.NotSame(t, stuck, rq)
		rq.life.Store(finished)
		rq.release()
		iss.give(rq)
	}
	require.Equal(t, 1, sys.table.used, "chunks of requests")

	stuck.release()
	seen := false
	for range chunkSize {
		rq := iss.take()
		seen = seen || rq == stuck
		iss.give(rq)
	}
	require.True(t, seen, "it comes back")

	// All at work: then there are more.
	for range chunkSize {
		rq := iss.take()
		rq.life.Store(finished)
		iss.give(rq)
	}
	require.Equal(t, idle, iss.take().life.Load())
	require.Equal(t, 2, sys.table.used)
}
