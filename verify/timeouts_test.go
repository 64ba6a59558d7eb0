package verify

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
)

// TestTimeoutAgainstCompletion: exactly one of a command's timer and its driver
// has it, in whatever order the two come, the handler wakes when the host is
// quiet, and nothing is lost.
func TestTimeoutAgainstCompletion(t *testing.T) { underTimeouts(t, Timeouts) }

// TestTimeoutAgainstRemoval: the same while the host goes away.
func TestTimeoutAgainstRemoval(t *testing.T) { underTimeouts(t, TimeoutsRemoval) }

func underTimeouts(t *testing.T, scenario string) {
	for _, s := range dispatch.Strategies() {
		t.Run(s.Name, func(t *testing.T) {
			r, err := Run(context.Background(), Config{
				Strategy: s.Name, Seed: 5, Schedules: schedules(t), Scenarios: []string{scenario}, AsFound: true,
			})
			require.NoError(t, err)
			if r.Finding != nil {
				var b bytes.Buffer
				require.NoError(t, r.Print(&b, false))
				t.Fatal(tail(b.String()))
			}
		})
	}
}
