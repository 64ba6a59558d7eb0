package lab

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Output that would take the place of what is read is refused, by whatever name
// the file goes, and the file stays as it is.
func TestOutputDestroysNoInput(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x")
	require.NoError(t, os.WriteFile(file, []byte("mine"), 0o600))
	names := []string{file, filepath.Join(dir, ".", "x"), dir + "/../" + filepath.Base(dir) + "/x"}
	if link := filepath.Join(dir, "soft"); os.Symlink("x", link) == nil {
		names = append(names, link)
	}
	if link := filepath.Join(dir, "hard"); os.Link(file, link) == nil {
		names = append(names, link)
	}
	fresh := filepath.Join(dir, "p.svg")
	for _, name := range names {
		for _, args := range [][]string{
			{"merge", file, "--output", name},
			{"run", "--experiment", file, "--output", name},
			{"run", "--workload", file, "--output", name},
			{"run", "--machine", "sim", "--costs", file, "--output", name},
			{"sweep", "--resume", file, "--output", name},
			{"sweep", "--resume", file, "--plot", name},
		} {
			o := try(nil, args...)
			assert.Equal(t, exitUsage, o.status, "%v", args)
			assert.Empty(t, o.stdout)
			assert.Contains(t, o.stderr, "would overwrite")
		}
	}
	assert.Equal(t, exitUsage, try(nil, "sweep", "--plot", fresh, "--output", dir+"/./p.svg").status)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(text))
}

func TestControlCharactersAreEscaped(t *testing.T) {
	assert.Equal(t, `a\x1b[31mb\r`+"\n\tä", printable("a\x1b[31mb\r\n\tä"))
}
