package experiment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/results"
)

// said is whether a warning of a result holds all parts.
func said(r *results.Result, parts ...string) bool {
	for _, w := range r.Warnings {
		all := true
		for _, part := range parts {
			all = all && strings.Contains(w, part)
		}
		if all {
			return true
		}
	}
	return false
}

func TestAResultSaysWhichFaultsWereInjected(t *testing.T) {
	exp := headline(t)
	quiet, err := do(context.Background(), exp, small())
	require.NoError(t, err)
	assert.False(t, said(quiet, "faults injected"))
	r, err := do(context.Background(), exp, small("mptsas.queue_full_rate=0.01", "mptsas.duplicate_rate=0.01"))
	require.NoError(t, err)
	assert.True(t, said(r, "faults injected in the whole run: queue full ", "(mptsas.queue_full_rate), duplicated ", "(mptsas.duplicate_rate)"), "%q", r.Warnings)
	r, err = do(context.Background(), exp, small("host.remove_device_at=150ms"))
	require.ErrorContains(t, err, "DID_NO_CONNECT")
	require.ErrorContains(t, err, "faults were injected: devices removed ")
	assert.True(t, said(r, "devices removed", "(host.remove_device_at)"), "%q", r.Warnings)
}

func TestAnInjectedErrorIsNamed(t *testing.T) {
	_, err := do(context.Background(), headline(t), small("mptsas.error_rate=0.02"))
	for _, part := range []string{"command failed: medium error (CHECK CONDITION, sense key 0x3)", "FFSB exits at any I/O error", "medium error 1 (mptsas.error_rate)"} {
		require.ErrorContains(t, err, part)
	}
}

// Commands that are lost on request name the request, and what looks for them.
func TestLostCommandsNameTheirCause(t *testing.T) {
	exp := headline(t)
	_, err := do(context.Background(), exp, small("mptsas.drop_rate=0.01"))
	for _, part := range []string{"commands were lost: ", "dropped ", "(mptsas.drop_rate)", "midlayer.error_handling is off", "set midlayer.error_handling=true"} {
		require.ErrorContains(t, err, part)
	}
	_, err = do(context.Background(), exp, small("mptsas.drop_rate=0.01", "midlayer.error_handling=true", "midlayer.eh_scale=2"))
	for _, part := range []string{"dropped ", "still in recovery", "a timeout takes 1m0s", "midlayer.eh_scale=0.001"} {
		require.ErrorContains(t, err, part)
	}
	_, err = do(context.Background(), exp, small("mptsas.drop_rate=0.001", "midlayer.error_handling=true", "midlayer.eh_scale=0.001"))
	require.NoError(t, err, "what the error says to set helps")
}

// A hang at 0 is never, as a removal at 0 is.
func TestHalfAHangIsNone(t *testing.T) {
	exp := headline(t)
	for set, want := range map[string]string{
		"mptsas.hang_for=1s": "mptsas.hang_for=1s changes nothing here: mptsas.hang_at is 0, which is never",
		"mptsas.hang_at=1s":  "mptsas.hang_at=1s changes nothing here: mptsas.hang_for is 0",
	} {
		r, err := do(context.Background(), exp, small(set))
		require.NoError(t, err)
		assert.True(t, said(r, want), "%q", r.Warnings)
		assert.False(t, said(r, "faults injected"))
	}
	r, err := do(context.Background(), exp, small("mptsas.hang_at=120ms", "mptsas.hang_for=20ms"))
	require.NoError(t, err)
	assert.True(t, said(r, "held up by the hang", "(mptsas.hang_at)"), "%q", r.Warnings)
}
