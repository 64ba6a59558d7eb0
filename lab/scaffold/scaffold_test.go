package scaffold

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

func TestCheckName(t *testing.T) {
	for name, ok := range map[string]bool{
		"mine": true, "my-lock2": true, "": false, "Mine": false, "a b": false, "-x": false, "x-": false, "../x": false, "9": false,
		strings.Repeat("x", 41): false,
	} {
		assert.Equal(t, ok, CheckName(name) == nil, name)
	}
}

func TestWriteLeavesWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	require.Error(t, Strategy{Name: "mine", Module: "example.org/mine", Source: Source()}.Write(dir))
	bad := Strategy{Name: "mine", Module: "example.org/mine", Source: dir} // no go.mod there
	require.ErrorIs(t, bad.Write(filepath.Join(dir, "mine")), os.ErrNotExist)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestGoModNamesEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "mine")
	require.NoError(t, Strategy{Name: "mine", Module: "example.org/mine", Source: Source()}.Write(dir))
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	f, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	assert.Equal(t, "example.org/mine", f.Module.Mod.Path)
	require.Len(t, f.Replace, 1)
	assert.True(t, IsSource(f.Replace[0].New.Path))
	assert.Greater(t, len(f.Require), 10)
}

// A new strategy builds, passes its contract, and its exercises give what its
// README says.
func TestAStrategyFromTheTemplate(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and tests a module of its own")
	}
	dir := filepath.Join(t.TempDir(), "mine")
	require.NoError(t, Strategy{Name: "mine", Module: "example.org/mine", Source: Source()}.Write(dir))
	command := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off")
		out, err := cmd.Output()
		return string(out), err
	}
	out, err := command("go", "vet", ".")
	require.NoError(t, err, out)
	out, err = command("go", "test", "-short", ".")
	require.NoError(t, err, out)
	build := func() {
		out, err := command("go", "build", "-o", "own", ".")
		require.NoError(t, err, out)
	}
	build()
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	for _, c := range []struct {
		args, figure string
		says         string
		want, within float64 // a share of want
	}{
		{"--strategy mine", "iops", "70.0 K under\n`mine`", 70000, 0.01},
		{"--strategy mine", "busy_pct", "64 % busy", 64, 0.02},
		{"--strategy host-lock", "iops", "62.9 K IOPS under `host-lock`", 62900, 0.01},
		{"--strategy mine --driver null --set fs.cpu=2us --duration 50ms", "iops", "264 K IOPS", 264e3, 0.03},
		{"--strategy mine --driver null --set fs.cpu=2us --duration 50ms", "contention_pct", "`mine` is 78 %", 78, 0.03},
		{"--strategy per-queue --driver null --set fs.cpu=2us --duration 50ms", "iops", "1.30 M under `--strategy per-queue`", 1.3e6, 0.02},
		{"--strategy host-lock --driver null --set fs.cpu=2us --duration 50ms", "iops", "gives 53 K", 53000, 0.02},
		{"--strategy host-lock --driver null --set fs.cpu=2us --duration 50ms", "contention_pct", "96 %\nof the busy", 96, 0.02},
	} {
		assert.Contains(t, string(readme), c.says)
		out, err := command("./own", append([]string{"run", "--machine", "sim", "--format", "json"}, strings.Fields(c.args)...)...)
		require.NoError(t, err, c.args)
		var r struct {
			IOPS float64        `json:"iops"`
			CPU  map[string]any `json:"cpu"`
		}
		require.NoError(t, json.Unmarshal([]byte(out), &r))
		got := r.IOPS
		if c.figure != "iops" {
			got, _ = r.CPU[c.figure].(float64)
		}
		assert.InEpsilon(t, c.want, got, c.within, "%s %s", c.args, c.figure)
	}

	path := filepath.Join(dir, "limit.go")
	right, err := os.ReadFile(path)
	require.NoError(t, err)
	const cas = "\t\tif l.free.CAS(t, n, n-1) {\n\t\t\treturn true\n\t\t}\n"
	require.Contains(t, string(right), cas)
	wrong := strings.Replace(string(right), cas, "\t\tl.free.Store(t, n-1)\n\t\treturn true\n", 1)
	require.NoError(t, os.WriteFile(path, []byte(wrong), 0o644))
	build()
	out, err = command("./own", "verify", "--strategy", "mine")
	var failed *exec.ExitError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, 1, failed.ExitCode())
	assert.Contains(t, out+string(failed.Stderr), "a limit was exceeded: host 0 can_queue is 1, and 2 were with the driver")
}
