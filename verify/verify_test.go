package verify

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/strategies"
)

// schedules is how many a test takes of each strategy: a second's worth.
func schedules(t *testing.T) int {
	switch {
	case slow:
		return 60
	case testing.Short():
		return 300
	}
	return 2000
}

func TestShippedStrategies(t *testing.T) {
	for _, s := range dispatch.Strategies() {
		t.Run(s.Name, func(t *testing.T) {
			r, err := Run(context.Background(), Config{Strategy: s.Name, Seed: 1, Schedules: schedules(t), AsFound: true})
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, r.Print(&b, false))
			if r.Finding != nil {
				t.Fatal(tail(b.String()))
			}
			t.Log(b.String())
		})
	}
}

// The stalls of 2.6.35 are counted and no finding, and the report says how to see
// one.
func TestStallsAreTold(t *testing.T) {
	c := Config{Strategy: "host-lock", Seed: 1, Schedules: 1500, Scenarios: []string{"plain"}, AsFound: true}
	r, err := Run(context.Background(), c)
	require.NoError(t, err)
	require.Nil(t, r.Finding)
	require.Positive(t, r.Stalled)
	var b bytes.Buffer
	require.NoError(t, r.Print(&b, false))
	require.Contains(t, b.String(), "a lost wake-up that the plug's timer made up for; --strict shows one")

	c.Strict = true
	r, err = Run(context.Background(), c)
	require.NoError(t, err)
	require.NotNil(t, r.Finding)
	require.Equal(t, errStall.Error(), r.Finding.What)
}

// tail keeps a report readable.
func tail(s string) string {
	const most = 1500
	if len(s) > most {
		return s[:most/2] + "\n...\n" + s[len(s)-most/2:]
	}
	return s
}
