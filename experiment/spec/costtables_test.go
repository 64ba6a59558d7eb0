package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/machine/param"
	"hostlock/machine/sim"
)

func costsOfTable(t *testing.T, name string) sim.Costs {
	t.Helper()
	list, err := LoadCosts(name)
	require.NoError(t, err)
	set := param.New()
	set.Declare(sim.Params()...)
	for _, v := range list {
		require.NoError(t, set.Apply(v))
	}
	return sim.CostsFrom(set)
}

// The headline's table is the machine's own, so that naming it moves nothing.
func TestTheDefaultTableIsTheMachinesOwn(t *testing.T) {
	assert.Equal(t, sim.DefaultCosts(), costsOfTable(t, DefaultCosts))
	assert.Equal(t, sim.DefaultCosts(), costsOfTable(t, "x86_2010_4s"))
}

// Every table gives every cost, and says of each where it comes from.
func TestEveryTableIsWholeAndSourced(t *testing.T) {
	for _, name := range builtinCosts() {
		c, err := OpenCosts(name)
		require.NoError(t, err, name)
		assert.Equal(t, name, c.Name)
		assert.NotEmpty(t, c.Title, name)
		list, err := c.Settings()
		require.NoError(t, err, name)
		assert.Len(t, list, len(sim.Params()), name)
		for _, v := range list {
			assert.NotEmpty(t, v.Source, "%s %s", name, v.Name)
		}
		if c.Like != "" {
			assert.NotEmpty(t, c.Given, name)
		}
		text, err := c.Text()
		require.NoError(t, err, name)
		file := filepath.Join(t.TempDir(), "copy.toml")
		require.NoError(t, os.WriteFile(file, text, 0o600))
		assert.Equal(t, costsOfTable(t, name), costsOfTable(t, file), "%s and its copy", name)
	}
}

func TestATableTakesTheRestFromAnother(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.toml")
	require.NoError(t, os.WriteFile(file, []byte("like = \"arm-graviton2\"\n[[parameter]]\nname = \"cost.load\"\nvalue = \"3ns\"\nsource = \"here\"\n"), 0o600))
	list, err := LoadCosts(file)
	require.NoError(t, err)
	by := map[string]param.Setting{}
	for _, v := range list {
		by[v.Name] = v
	}
	assert.Equal(t, "3ns", by["cost.load"].Value)
	assert.Equal(t, "7.6ns", by["cost.rmw"].Value)
	assert.True(t, strings.HasPrefix(by["cost.rmw"].Source, "no source: as arm-graviton2"))
}

func TestWrongTables(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	for name, want := range map[string]string{
		"x86-skylake-4s": "did you mean x86-skylake-2s?",
		"this":           "lab calibrate --keep",
	} {
		_, err := LoadCosts(name)
		var usage *UsageError
		require.ErrorAs(t, err, &usage, name)
		assert.Contains(t, usage.Text, want)
	}
	_, err := parseCostTable("f", []byte("like = \"planet\"\n[[parameter]]\nname = \"cost.rmw\"\nvalue = \"9ns\"\n"))
	placedLines(t, err)
}
