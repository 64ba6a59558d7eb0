package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerifyFindsNothingInWhatIsShipped(t *testing.T) {
	o := try(never(t), "verify", "--strategy", "ring", "--schedules", "200", "--threads", "2", "--commands", "2")
	require.Zero(t, o.status, o.stderr)
	require.Contains(t, o.stdout, "no finding")
	require.Empty(t, o.stderr)
}

// A finding has status 1 and the command that replays it, which finds it again.
func TestVerifyReplays(t *testing.T) {
	o := try(never(t), "verify", "--strategy", "host-lock", "--schedules", "2000", "--scenario", "target", "--set", "midlayer.historic_target_bug=true")
	require.Equal(t, exitFailed, o.status)
	require.Contains(t, o.stderr, "breaks its contract")
	_, line, ok := strings.Cut(o.stdout, "replay: go run ./cmd/lab ")
	require.True(t, ok)
	again := try(never(t), strings.Fields(line)...)
	require.Equal(t, exitFailed, again.status, again.stderr)
	require.Contains(t, again.stdout, strings.TrimSpace(line))
	what := func(s string) string { return s[strings.Index(s, "scenario target"):] }
	require.Equal(t, what(o.stdout), what(again.stdout))
}

// A panic under verify is told with the line that it was in, found anew and
// replayed.
func TestVerifyTellsWhereAPanicWas(t *testing.T) {
	defer func() { planted = "" }()
	planted = "index"
	o := try(never(t), "verify", "--strategy", "planted", "--scenario", "plain")
	for range 2 {
		require.Equal(t, exitFailed, o.status, o.stderr)
		require.Contains(t, o.stdout, "panic: ")
		require.Len(t, o.lines(), 2, o.stderr)
		require.Regexp(t, `^lab: where: hostlock/lab\.plantedStrategy\.End, .*bug_test\.go:\d+$`, o.lines()[0])
		require.Contains(t, o.lines()[1], "breaks its contract")
		_, line, ok := strings.Cut(o.stdout, "replay: go run ./cmd/lab ")
		require.True(t, ok)
		o = try(never(t), strings.Fields(line)...)
	}
}

func TestVerifyExhaustive(t *testing.T) {
	o := try(never(t), "verify", "--strategy", "per-queue", "--exhaustive", "--commands", "1", "--preemptions", "1", "--format", "json")
	require.Zero(t, o.status, o.stderr)
	var got struct {
		Complete            bool
		Schedules, Distinct int
		Finding             any
	}
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &got))
	require.True(t, got.Complete)
	require.Positive(t, got.Distinct)
	require.Nil(t, got.Finding)
}

// Ctrl-C keeps the count of what was done, and says that it is not all.
func TestVerifyExhaustiveInterrupted(t *testing.T) {
	var stdout bytes.Buffer
	var stderr syncBuffer
	a := newApp(&stdout, &stderr)
	signals := make(chan os.Signal, 1)
	signals <- os.Interrupt
	a.signals = signals
	status := a.main([]string{"verify", "--strategy", "ring", "--exhaustive", "--threads", "3"})
	require.Equal(t, exitInterrupted, status, stderr.String())
	require.Regexp(t, `not all \(.* % of the tree.* cut as equal`, stdout.String())
	require.Contains(t, stdout.String(), "PARTIAL")
}

func TestVerifyRefuses(t *testing.T) {
	for _, args := range [][]string{
		{},
		{"--strategy", "none"},
		{"--strategy", "ring", "--scenario", "none"},
		{"--strategy", "ring", "--schedules", "0"},
		{"--strategy", "ring", "--threads", "17"},
		{"--strategy", "ring", "--preemptions", "2"},
		{"--strategy", "ring", "--replay", "what"},
		{"--strategy", "ring", "--set", "none=1"},
		{"--strategy", "ring", "--set", "none"},
		{"--strategy", "ring", "--format", "xml"},
		{"--strategy", "ring", "--driver", "none"},
	} {
		o := try(never(t), append([]string{"verify"}, args...)...)
		require.Equal(t, exitUsage, o.status, args)
		require.Empty(t, o.stdout, args)
		require.Len(t, o.lines(), 1, args)
		require.Contains(t, o.stderr, "lab: ", args)
	}
}

// The kernel's old mistake is one of a list that not every strategy has.
func TestVerifySaysWhereTheHistoricBugIsNone(t *testing.T) {
	const warning = "lab: warning: midlayer.historic_target_bug=true changes nothing here: strategy ring"
	o := try(never(t), "verify", "--strategy", "ring", "--schedules", "10", "--scenario", "plain", "--set", "midlayer.historic_target_bug=true")
	require.Zero(t, o.status, o.stderr)
	require.Contains(t, o.stderr, warning)
	o = try(never(t), "verify", "--strategy", "host-lock", "--schedules", "10", "--scenario", "plain", "--set", "midlayer.historic_target_bug=true")
	require.NotContains(t, o.stderr, "changes nothing")
}
