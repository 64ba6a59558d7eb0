package lab

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/experiment"
)

// What a flag or a file refuses is said without the names of Go's own types.
func TestNoGoTypesInErrors(t *testing.T) {
	wrong := file(t, "wrong", `{"schema": 1, "experiment": 3}`)
	for _, args := range []string{
		"verify --strategy ring --strict=2", "record --pairs 1x -- true",
		"compare " + wrong + " " + wrong, "predict " + file(t, "other", `{"schema": "a"}`), "merge " + wrong,
	} {
		o := try(never(t), strings.Fields(args)...)
		require.NotEqual(t, exitDone, o.status, args)
		for _, own := range []string{"strconv.", "Go struct", "results.", "toml:", "json:", "pflag"} {
			require.NotContains(t, o.stderr, own, args)
		}
	}
}

// Control characters of a user's own file come to the terminal escaped.
func TestControlCharactersAreEscapedInTables(t *testing.T) {
	name := file(t, "mi\x1b[31m\x07ne.toml", show(t))
	for _, format := range []string{"text", "markdown", "csv", "json"} {
		o := try(experiment.Run, "run", "--machine", "sim", "--cores", "4", "--threads", "4", "--duration", "20ms", "--experiment", name, "--format", format)
		require.NotContains(t, o.stdout+o.stderr, "\x1b", format)
		require.NotContains(t, o.stdout+o.stderr, "\x07", format)
		require.Equal(t, exitDone, o.status, o.stderr)
		if format == "text" {
			require.Contains(t, o.stdout, `\x1b[31m`)
		}
	}
}

func show(t *testing.T) string {
	o := try(never(t), "show", "experiment", "chen-2010")
	require.Equal(t, exitDone, o.status)
	return o.stdout
}
