package verify

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// ring admits a command before it takes one out of its queue. Until it looked
// at the states again after that, a request that was submitted to a host which
// had blocked itself, or to a quiesced device, could take a slot that had been
// admitted before, and reach the driver. Found in schedules 42:3326 (scenario
// block-host) and 42:78 (block-device) of 2 threads of 1 command.
func TestStateChangesBetweenAdmissionAndTaking(t *testing.T) {
	if slow {
		t.Skip("without the race detector")
	}
	for _, scenario := range []string{"block-host", "block-device", "recovery"} {
		t.Run(scenario, func(t *testing.T) {
			r, err := Run(context.Background(), Config{
				Strategy: "ring", Threads: 2, Commands: 1, Seed: 42, Schedules: 5000, Scenarios: []string{scenario}, AsFound: true,
			})
			require.NoError(t, err)
			if r.Finding != nil {
				t.Fatal(r.Finding.What, r.Finding.Command())
			}
		})
	}
}

// Two stalls under limits of targets. While an entry of the starved ring is
// claimed and not yet there, a completion finds none of those behind it: found
// under per-queue in schedule 3:39514 of all scenarios. And a failed take raises a
// target's count for a moment, which hides its slot from those who look: found
// under ring in schedule 11:8805 of the scenario target.
func TestTargetsHideNoSlots(t *testing.T) {
	if slow || testing.Short() {
		t.Skip("rare")
	}
	for _, strategy := range []string{"per-queue", "ring"} {
		t.Run(strategy, func(t *testing.T) {
			r, err := Run(context.Background(), Config{
				Strategy: strategy, Seed: 11, Schedules: 9000, Scenarios: []string{"target"}, Strict: true, AsFound: true,
			})
			require.NoError(t, err)
			if r.Finding != nil {
				t.Fatal(r.Finding.What, r.Finding.Command())
			}
		})
	}
}
