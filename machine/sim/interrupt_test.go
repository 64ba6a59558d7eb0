package sim

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// An interrupt does not wait for a share of the run: a long one would go on
// for minutes.
func TestAnInterruptEndsALongRunAtOnce(t *testing.T) {
	for _, inWarmup := range []bool{true, false} {
		s := newSim(t, Config{Cores: 4, Seed: 1})
		ctx, cancel := context.WithCancel(context.Background())
		course := machine.Course{Warmup: time.Millisecond, Duration: 1000 * time.Hour, Begin: cancel}
		if inWarmup {
			course.Warmup = 1000 * time.Hour
			s.Go("interrupter", 0, false, func(th *machine.Thread) {
				th.Work(time.Millisecond)
				cancel()
			})
		}
		loop(s, 8, machine.Dist{Mean: 5 * time.Microsecond}, machine.Dist{Mean: time.Microsecond})
		acct, err := s.Run(ctx, course)
		require.ErrorIs(t, err, context.Canceled)
		require.Less(t, acct.Window, time.Hour)
		require.Equal(t, inWarmup, acct.Window == 0)
	}
}
