package soak

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// A soak that ended by a panic has no figures to tell.
func TestReportOfAPanic(t *testing.T) {
	r := Report{Config: Config{Strategy: "mine", Machine: "live", Driver: "verify", Seed: 1}, Panic: &machine.Panicked{}, Problems: []string{"panic: p"}}
	var b strings.Builder
	require.NoError(t, r.Print(&b))
	require.Equal(t, "soak of mine on live, driver verify, seed 1: ended by a panic\nFOUND: panic: p\n", b.String())
}
