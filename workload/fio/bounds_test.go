package fio

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/workload"
)

// TestBounds: texts that are large where they may be end soon, and in one short
// line.
func TestBounds(t *testing.T) {
	long := strings.Repeat("x", 60_000)
	for _, text := range []string{
		"[a]\n" + long + "=1\n", "[a]\nrw=" + long + "\n", "[" + long + "]\nsize=\n", "[a]\nbssplit=" + strings.Repeat("4k:", 10_000) + "\n",
		"[a]\nfilename=" + strings.Repeat(":", 60_000) + "\n", "[a]\ncpus_allowed=" + strings.Repeat("0-4095,", 5000) + "\n",
		strings.Repeat("[a]\nsize=1m\n", 5000), "[global]\n" + strings.Repeat("bs=4k\n", 30_000) + strings.Repeat("[a]\n", 100),
		"[a]\n" + strings.Repeat("bs=4k\n", 70_000), "fio --" + long, "fio " + strings.Repeat("--name=a ", 5000),
	} {
		_, err := workload.Parse("f", []byte(text))
		require.Error(t, err, text[:20])
		require.NotContains(t, err.Error(), "\n")
		require.Less(t, len(err.Error()), 2000, text[:20])
	}
}
