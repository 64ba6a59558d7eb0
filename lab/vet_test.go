package lab

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/vet"
)

func TestVet(t *testing.T) {
	t.Chdir("..")
	o := try(never(t), "vet", "./designs")
	require.Equal(t, exitDone, o.status)
	require.Contains(t, o.stdout, "designs.owner")

	o = try(never(t), "vet", "./internal/planted", "--format", "json")
	require.Equal(t, exitFailed, o.status)
	var r vet.Report
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &r))
	require.NotEmpty(t, r.Findings)
	require.Equal(t, filepath.Join("internal", "planted", "foreign.go"), r.Findings[0].File)

	require.Equal(t, exitUsage, try(never(t), "vet", "./nowhere").status)

	t.Setenv("PATH", t.TempDir())
	o = try(never(t), "vet")
	require.Equal(t, exitFailed, o.status)
	require.Contains(t, o.stderr, vet.ErrNoGo.Error())
}
