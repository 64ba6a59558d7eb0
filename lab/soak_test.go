package lab

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/verify/soak"
)

func TestSoakFindsNothingInWhatIsShipped(t *testing.T) {
	for _, machine := range soak.Machines() {
		o := try(never(t), "soak", "--strategy", "ring", "--commands", "5000", "--machine", machine, "--set", "null.drop_rate=0.002")
		require.Zero(t, o.status, o.stderr)
		require.Contains(t, o.stdout, "ledger: 5000 issued = ")
		require.Contains(t, o.stdout, "no finding")
		// Progress is not data.
		require.Contains(t, o.lines()[0], "commands in")
	}
}

func TestSoakAsJSON(t *testing.T) {
	o := try(never(t), "soak", "--strategy", "per_queue", "--machine", "sim", "--commands", "5000", "--seed", "3", "--format", "json")
	require.Zero(t, o.status, o.stderr)
	var got soak.Summary
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &got))
	require.Equal(t, "per-queue", got.Strategy)
	require.EqualValues(t, 5000, got.Commands.Issued)
	require.Equal(t, got.Commands.Issued, got.Commands.Completed+got.Commands.Failed)
	require.Positive(t, got.Injected["soft error"])
	require.NotNil(t, got.Errors)
	require.Len(t, got.Readings, 12)
	require.Empty(t, got.Problems)
}

// What is never answered is lost without an error handler: that is a finding.
func TestSoakFinds(t *testing.T) {
	o := try(never(t), "soak", "--strategy", "ring", "--machine", "sim", "--commands", "20000",
		"--set", "midlayer.error_handling=false", "--set", "null.drop_rate=0.01")
	require.Equal(t, exitFailed, o.status)
	require.Contains(t, o.stdout, "FOUND: no command has come back for 1m0s")
	require.Contains(t, o.stderr, "lab: soak of ring: the ledger does not close")
}

func TestSoakRefuses(t *testing.T) {
	for _, args := range [][]string{
		{},
		{"--strategy", "none"},
		{"--strategy", "ring", "--driver", "none"},
		{"--strategy", "ring", "--machine", "explore"},
		{"--strategy", "ring", "--machine", "live", "--cores", "2"},
		{"--strategy", "ring", "--commands", "0"},
		{"--strategy", "ring", "--commands", "5"},
		{"--strategy", "ring", "--threads", "2000"},
		{"--strategy", "ring", "--set", "none=1"},
		{"--strategy", "ring", "--set", "none"},
		{"--strategy", "ring", "--format", "xml"},
	} {
		o := try(never(t), append([]string{"soak"}, args...)...)
		require.Equal(t, exitUsage, o.status, args)
		require.Empty(t, o.stdout, args)
		require.Len(t, o.lines(), 1, args)
		require.Contains(t, o.stderr, "lab: ", args)
	}
}
