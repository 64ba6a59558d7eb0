package sim

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// Whoever stops the machine ends the window there, and nothing after it counts:
// not the second of the course that is left.
func TestStopEndsTheWindow(t *testing.T) {
	for _, inWarmup := range []bool{true, false} {
		s := newSim(t, Config{Cores: 2, Seed: 1})
		course := machine.Course{Warmup: time.Millisecond, Duration: time.Second}
		if inWarmup {
			course.Warmup = time.Second
		}
		ends := 0
		course.End = func() { ends++ }
		s.Go("load", 0, false, func(th *machine.Thread) {
			th.Work(3 * time.Millisecond)
			s.Stop()
			for !s.Stopping() {
				th.Sleep(time.Millisecond)
			}
		})
		acct, err := s.Run(context.Background(), course)
		require.NoError(t, err)
		require.True(t, acct.Cut)
		require.Equal(t, 1, ends)
		if inWarmup {
			require.Zero(t, acct.Window)
			continue
		}
		require.InDelta(t, 2e6, float64(acct.Window), 1e4, "three milliseconds less the warm-up")
	}
}
