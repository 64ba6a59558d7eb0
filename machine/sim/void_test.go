package sim

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// Timers that were disarmed, or armed anew, do not fill the queue until their
// time, and those that are armed fire when they should, in order.
func TestVoidTimersLeaveTheQueue(t *testing.T) {
	s, err := New(Config{Cores: 1, Costs: DefaultCosts()})
	require.NoError(t, err)
	const kept, rounds = 300, 20_000
	var fired []int
	timers := make([]machine.Timer, kept)
	longest := 0
	s.Go("arms", 0, false, func(th *machine.Thread) {
		for i := range timers {
			timers[i].Init(s, "kept", machine.Device, func(th *machine.Thread) {
				require.Equal(t, time.Hour+time.Duration(i)*time.Minute, th.Now())
				fired = append(fired, i)
			})
			timers[i].Arm(th, time.Hour+time.Duration(i)*time.Minute-th.Now())
		}
		var void, again machine.Timer
		void.Init(s, "void", machine.Device, func(*machine.Thread) { t.Error("a disarmed timer fired") })
		again.Init(s, "again", machine.Device, func(*machine.Thread) { fired = append(fired, -1) })
		for range rounds {
			void.Arm(th, time.Hour)
			again.Arm(th, time.Minute)
			require.True(t, void.Disarm(th))
			longest = max(longest, len(s.q.heap))
			th.Work(time.Microsecond)
		}
		th.Sleep(400 * time.Minute)
	})
	_, err = s.Run(context.Background(), machine.Course{Duration: 1, Drain: 1000 * time.Hour})
	require.NoError(t, err)
	require.Less(t, longest, 2*voidEnough+2*kept+100)
	require.Len(t, fired, kept+1)
	require.Equal(t, -1, fired[0])
	for i, n := range fired[1:] {
		require.Equal(t, i, n)
	}
}
