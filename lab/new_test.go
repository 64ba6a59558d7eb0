package lab

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNewStrategy(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	o := try(never(t), "new", "strategy", "mine")
	require.Zero(t, o.status, o.stderr)
	assert.Contains(t, o.stdout, "mine holds strategy mine")
	for _, f := range []string{"go.mod", "go.sum", "main.go", "limit.go", "limit_test.go", "README.md"} {
		assert.FileExists(t, filepath.Join("mine", f))
	}
	for args, want := range map[string]string{
		"new":                                `nothing new named; legal: lab new strategy NAME`,
		"new planet x":                       `nothing new named; legal: `,
		"new strategy":                       `new strategy takes one name`,
		"new strategy X":                     `"X" is no name of a strategy; legal: `,
		"new strategy ring":                  `strategy ring is there already`,
		"new strategy mine":                  `mine is there already; legal: a folder that is not there yet`,
		"new strategy other --source " + dir: `hostlock's own go.mod is not there; legal: `,
	} {
		t.Run(strings.ReplaceAll(args, dir, "DIR"), func(t *testing.T) {
			o := try(never(t), strings.Fields(args)...)
			assert.Equal(t, 2, o.status)
			assert.Empty(t, o.stdout)
			require.Len(t, o.lines(), 1, o.stderr)
			assert.Contains(t, o.stderr, want)
		})
	}
}
