package dispatch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch/eh"
)

func TestOneOfAThingIsNotMany(t *testing.T) {
	c := eh.Counts{TimedOut: 1, Recoveries: 1, Senses: 2}
	c.Stages[eh.DeviceReset], c.Stages[eh.HostReset] = 1, 2
	require.Equal(t, []string{
		"error handling, in the whole run: 1 command timed out, 1 recovery, 2 times asked for sense data, 1 device reset, 2 host resets",
	}, c.Notes())
}
