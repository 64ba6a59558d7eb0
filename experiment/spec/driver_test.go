package spec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine/param"
)

// TestDriverTable: a [driver] is the driver "own" with parameters, each with its
// line.
func TestDriverTable(t *testing.T) {
	const head = "name=\"x\"\nstrategy=\"per-queue\"\nworkload=\"dd if=/dev/sda of=/dev/null\"\ncores=4\nduration=\"1s\"\n"
	s, err := Parse("f", []byte(head+"[driver]\nsource=\"data sheet\"\ncan_queue=64\nlock_hold=\"3us\"\nvectors=4\n"))
	require.NoError(t, err)
	require.Equal(t, "own", s.Driver)
	require.Len(t, s.Parameters, 3)
	at := map[string]param.Setting{}
	for _, p := range s.Parameters {
		at[p.Name] = p
	}
	require.Equal(t, "64", at["host.can_queue"].Value)
	require.Equal(t, "3us", at["own.lock_hold"].Value)
	require.Equal(t, 9, at["own.lock_hold"].At.Line)
	require.Equal(t, "data sheet", at["own.vectors"].Source)

	_, err = Parse("f", []byte(head+"[driver]\ncan_queue=[1]\n"))
	require.Error(t, err)
	var wrong *UsageError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, 7, wrong.At.Line)
}
