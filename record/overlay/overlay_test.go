package overlay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func installed(t *testing.T) Toolchain {
	t.Helper()
	tc, err := Find(".")
	require.NoError(t, err)
	if err := tc.check(); err != nil {
		t.Skip(err)
	}
	return tc
}

func TestMakeIsStable(t *testing.T) {
	tc, dir := installed(t), t.TempDir()
	a, err := Make(tc, dir, nil)
	require.NoError(t, err)
	b, err := Make(tc, dir, nil)
	require.NoError(t, err)
	assert.Equal(t, a, b)
	c, err := Make(tc, dir, map[string]string{"/somewhere/a.go": "/else/a.go"})
	require.NoError(t, err)
	assert.NotEqual(t, a.File, c.File)
	text, err := os.ReadFile(c.File)
	require.NoError(t, err)
	assert.Contains(t, string(text), "/somewhere/a.go")
}

func TestMakeRefusesOtherSystems(t *testing.T) {
	for _, tc := range []Toolchain{{GOOS: "darwin", GOARCH: "arm64"}, {GOOS: "linux", GOARCH: "386"}} {
		_, err := Make(tc, t.TempDir(), nil)
		assert.ErrorAs(t, err, new(*Refusal))
	}
}

// A toolchain of another shape is refused, whatever it is that differs.
func TestMakeRefusesAnUnknownShape(t *testing.T) {
	tc := installed(t)
	for _, change := range []struct{ file, old, new string }{
		{"internal/sync/mutex.go", "state int32", "word int32"},
		{"internal/sync/mutex.go", "func (m *Mutex) TryLock() bool", "func (m *Mutex) TryLock(int) bool"},
		{"sync/rwmutex.go", "func (rw *RWMutex) RUnlock()", "func (rw *RWMutex) Release()"},
		{"runtime/proc.go", "func casgstatus(", "func casstatus("},
		{"runtime/mgcmark.go", "func gcAssistAlloc(gp *g)", "func gcAssistAlloc(gp *g, n int)"},
		{"runtime/runtime2.go", "type g struct", "type goroutine struct"},
		{"runtime/proc.go", "package runtime", "package"},
	} {
		root := t.TempDir()
		for _, f := range []string{"internal/sync/mutex.go", "sync/mutex.go", "sync/rwmutex.go", "runtime/proc.go", "runtime/runtime2.go", "runtime/mgcmark.go", "runtime/os_linux.go"} {
			text, err := os.ReadFile(filepath.Join(tc.GOROOT, "src", f))
			require.NoError(t, err)
			if f == change.file {
				require.Contains(t, string(text), change.old)
				text = []byte(strings.Replace(string(text), change.old, change.new, 1))
			}
			at := filepath.Join(root, "src", f)
			require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
			require.NoError(t, os.WriteFile(at, text, 0o644))
		}
		other := tc
		other.GOROOT = root
		_, err := Make(other, t.TempDir(), nil)
		assert.ErrorAs(t, err, new(*Refusal), change.new)
		if err != nil {
			assert.NotContains(t, err.Error(), "\n")
		}
	}
}

// A downloaded toolchain lives below GOMODCACHE, where nothing can be overlaid.
func TestMakeLinksADownloadedToolchain(t *testing.T) {
	tc, dir := installed(t), t.TempDir()
	tc.GOMODCACHE = filepath.Dir(tc.GOROOT)
	o, err := Make(tc, dir, nil)
	require.NoError(t, err)
	text, err := os.ReadFile(o.File)
	require.NoError(t, err)
	assert.NotContains(t, string(text), `"`+tc.GOROOT+"/src")
	require.NotEmpty(t, o.Env)
	assert.True(t, strings.HasPrefix(o.Env[0], "GOROOT="+dir))
}

// The sources of the toolchain and of what is made of them differ in the edits
// alone: nothing is lost.
func TestEditsKeepTheRest(t *testing.T) {
	tc := installed(t)
	s, err := rwMutex(tc.GOROOT)
	require.NoError(t, err)
	text := string(s.bytes())
	for _, e := range s.edits {
		assert.Contains(t, text, e.text)
	}
	back := strings.NewReplacer("mu.HostlockLock", "Lock", "mu.HostlockTryLock", "TryLock", "mu.HostlockUnlock", "Unlock", "hostlockPlain_", "").Replace(text)
	assert.Equal(t, string(s.text), back)
}
