package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment/spec"
)

// What is listed is shown, and what is shown runs.
func TestEveryTableIsShownAndRuns(t *testing.T) {
	home := t.TempDir() // nobody's own table
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("HOME", home)
	for list, show := range map[string]string{"costs": "costs", "layouts": "layout"} {
		o := try(never(t), "list", list, "--format", "json")
		require.Zero(t, o.status, o.stderr)
		var entries []entry
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &entries))
		require.Greater(t, len(entries), 3)
		for _, e := range entries {
			o := try(never(t), "show", show, e.Name)
			if e.Name == spec.ThisCosts {
				assert.Equal(t, exitUsage, o.status, "nothing was measured")
				continue
			}
			require.Zero(t, o.status, o.stderr)
			file := filepath.Join(t.TempDir(), "copy.toml")
			require.NoError(t, os.WriteFile(file, []byte(o.stdout), 0o600))
			for _, table := range []string{e.Name, file} {
				o = try(brief, "run", "--machine", "sim", "--strategy", "ring", "--duration", "300us", "--"+show, table, "--format", "json")
				assert.Zero(t, o.status, "%s: %s", table, o.stderr)
			}
		}
	}
}

func TestWrongTables(t *testing.T) {
	for _, request := range [][]string{
		{"calibrate", "--keep", "--output", "x"},
		{"run", "--machine", "sim", "--layout", "planet"},
		{"run", "--machine", "live", "--layout", "own"},
		{"sweep", "--layout", "planet"},
		{"sweep", "--costs", "planet"},
		{"compare", "ring", "ring:layout=planet"},
		{"show", "layout"},
		{"show", "layout", "planet"},
		{"show", "costs", "planet"},
	} {
		o := try(never(t), request...)
		assert.Equal(t, exitUsage, o.status, "%q: %s", request, o.stderr)
		assert.Contains(t, o.stderr, "legal: ", "%q", request)
	}
}
