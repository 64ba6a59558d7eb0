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
