package planted

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/verify"
)

// The sketch without a fault must pass the long run, too.
func TestSoundLastsLong(t *testing.T) {
	if slow {
		t.Skip("without the race detector")
	}
	l, f, err := verify.LongRun(context.Background(), verify.Config{Strategy: Sound, Seed: 1})
	require.NoError(t, err)
	if f != nil {
		t.Fatal(f.Kind, f.What)
	}
	t.Log(l)
}
