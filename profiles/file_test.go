package profiles

import (
	"hostlock/results"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFileName(t *testing.T) {
	require.Equal(t, "chen-2010_ring_64c.cpu.pb.gz",
		FileName(Info{Identity: results.Identity{Name: "chen-2010", Strategy: "ring", Machine: "sim", Cores: 64}}, KindCPU))
	require.Equal(t, "_._my_lab_a_b_live_2c.wall.pb.gz",
		FileName(Info{Identity: results.Identity{Name: "../my lab", Strategy: "a/b", Machine: "live", Cores: 2}}, KindWall))
}

func TestFilesAreWholeOrNotThere(t *testing.T) {
	dir := t.TempDir()
	p, err := CPU(fixture(1), fixtureInfo)
	require.NoError(t, err)

	path := filepath.Join(dir, "new", "x.cpu.pb.gz")
	require.NoError(t, WriteFile(path, p))
	require.NoError(t, WriteFile(path, p), "replaces")
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1, "no temporary file is left")

	// Where the target cannot be replaced, nothing new appears.
	blocked := filepath.Join(dir, "blocked")
	require.NoError(t, os.MkdirAll(filepath.Join(blocked, "x"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(blocked, "x", "y"), nil, 0o644))
	require.ErrorContains(t, WriteFile(filepath.Join(blocked, "x"), p), "blocked/x: is a directory")
	left, err = os.ReadDir(blocked)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestFilesThatAreNoProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	_, err := AttributeFile(path, Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, []byte("hello\nworld\n"), 0o644))
	_, err = AttributeFile(path, Options{})
	require.ErrorContains(t, err, path+": not a profile that pprof can read")
	require.NotContains(t, err.Error(), "\n")
}
