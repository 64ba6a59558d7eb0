package vet

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"
)

// root is where the module begins, which testdata is read in: it imports the lab.
func root(t *testing.T) string {
	dir, err := filepath.Abs("..")
	require.NoError(t, err)
	return dir
}

func TestAnalyzers(t *testing.T) {
	for _, a := range []struct {
		dir string
		of  int
	}{{"foreign", 1}, {"clock", 2}, {"fields", 3}, {"dummy", 4}} {
		t.Run(a.dir, func(t *testing.T) {
			analysistest.Run(t, root(t), Analyzers[a.of], "./vet/testdata/"+a.dir)
		})
	}
}

// Shipped is what `make vet` reads: it must be clean, examples in modules of their
// own included.
func TestShippedIsClean(t *testing.T) {
	r, err := Run(context.Background(), root(t), []string{"./strategies/...", "./dispatch/lld", "./designs", "./examples/strategy", "./examples/onelock"})
	require.NoError(t, err)
	require.Empty(t, r.Findings)
	for _, name := range []string{"hostlock/strategies.ring", "hostlock/strategies.Counter", "hostlock/dispatch/lld.mptsas", "hostlock/designs.owner", "example.com/strategy.striped", "example.com/onelock.oneLock"} {
		if !slices.Contains(r.Types, name) && !slices.ContainsFunc(r.Types, func(s string) bool { return filepath.Ext(s) == filepath.Ext(name) }) {
			t.Errorf("%s was not read: %v", name, r.Types)
		}
	}
}

func TestPlantedIsFound(t *testing.T) {
	r, err := Run(context.Background(), root(t), []string{"./internal/planted"})
	require.NoError(t, err)
	for verb, check := range map[string]string{
		"foreignMutex.Take": Foreign.Name, "foreignAtomic.Take": Foreign.Name, "foreignAtomic.Full": Foreign.Name,
		"dummyMutex.Take": Dummy.Name, "dummyMutex.Full": Dummy.Name, "foreignMutex.Give": Fields.Name,
	} {
		require.True(t, slices.ContainsFunc(r.Findings, func(f Finding) bool {
			return f.Verb == verb && f.Check == check && f.Line > 0 && f.File == filepath.Join("internal", "planted", "foreign.go")
		}), "%s by %s: %v", verb, check, r.Findings)
	}
	// What is right, or wrong in a way that others find, is none.
	for _, f := range r.Findings {
		require.NotContains(t, f.Verb, "freeList")
		require.NotContains(t, f.Verb, "sketch")
	}
}

func TestUnloadable(t *testing.T) {
	for _, patterns := range [][]string{{"./nowhere"}, {"./vet/doc.go", "./lab"}, {"hostlock/none"}} {
		_, err := Run(context.Background(), root(t), patterns)
		var u *Unloadable
		require.ErrorAs(t, err, &u, "%v", patterns)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module broken\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\nvar x int = true\n"), 0o600))
	_, err := Run(context.Background(), dir, []string{"."})
	require.ErrorContains(t, err, "a.go:2:")
}

func TestNoGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Run(context.Background(), root(t), []string{"."})
	require.ErrorIs(t, err, ErrNoGo)
}
