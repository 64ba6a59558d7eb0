package launch

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/record"
)

const odd = `package main

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"tried/inner"
)

func held(mu *sync.Mutex) { mu.Lock(); time.Sleep(time.Millisecond); mu.Unlock() }
func brief(mu *sync.Mutex) { mu.Lock(); mu.Unlock() }
// A Locker of the program's own, as loggers and tracers have them.
type traced struct { sync.Mutex; on bool }
func (t *traced) Lock() { if t.on { t.Mutex.Lock() } }
func short(t *traced) { t.Lock(); t.Unlock() }
func long(t *traced) { t.Lock(); time.Sleep(time.Millisecond); t.Unlock() }
func stores(m *sync.Map, i int) { m.Store(i%8, i); m.Delete(i%8) }

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	each := func(n int, f func()) { for range n { wg.Add(1); go func() { defer wg.Done(); f() }() }; wg.Wait() }
	switch os.Args[1] {
	case "exit":
		held(&mu)
		os.Exit(3)
	case "forks":
		held(&mu)
		c := exec.Command(os.Args[0], "exit")
		c.Run()
	case "becomes":
		held(&mu)
		syscall.Exec("/proc/self/exe", []string{"tried", "exit"}, os.Environ())
	case "many":
		each(20000, func() { held(new(sync.Mutex)) })
	case "often":
		var padded [64]struct { mu sync.Mutex; _ [56]byte }
		each(2, func() { for i := range 1000000 { brief(&padded[i%64].mu) } })
	case "map":
		var m sync.Map
		for i := range 1000 { stores(&m, i) }
	case "wrapped":
		t := &traced{on: true}
		for range 20 { short(t); long(t) }
	case "module":
		inner.Held()
	}
}
`

const inner = `package inner

import "sync"

var mu sync.Mutex

func Held() { mu.Lock(); mu.Unlock() }
`

// oddProgram writes a program and a module beside it, which it needs.
func oddProgram(t *testing.T) {
	t.Helper()
	program(t, odd)
	require.NoError(t, os.MkdirAll("inner", 0o755))
	require.NoError(t, os.WriteFile("inner/inner.go", []byte(inner), 0o644))
}

// Programs that fork, become another, take thousands of locks or millions a
// second leave valid records.
func TestOddProgramsAreRecorded(t *testing.T) {
	oddProgram(t)
	c := built(t)
	r, run := once(t, c, nil, "forks")
	assert.Len(t, run.Processes, 2, "the child is a process of its own")
	assert.EqualValues(t, 2, at(t, r, "main.held").Acquisitions)

	r, run = once(t, c, nil, "becomes")
	assert.Len(t, run.Processes, 2, "the same pid, and another program")
	assert.EqualValues(t, 2, at(t, r, "main.held").Acquisitions)
	for _, p := range run.Processes {
		assert.Less(t, p.CPU, run.CPU, "what came before its recording is not its own")
	}

	r, _ = once(t, c, nil, "many")
	held := at(t, r, "main.held")
	assert.EqualValues(t, 20000, held.Acquisitions)
	assert.Less(t, *held.HottestUtilizationPct, 100.0, "each was held once, and for a part of the time")

	r, _ = once(t, c, nil, "often")
	brief := at(t, r, "main.brief")
	assert.EqualValues(t, 2_000_000, brief.Acquisitions, "each is counted, however many")
	assert.Less(t, float64(r.Sampling.Samples), 0.2*2e6, "and few are timed")
	require.NotNil(t, r.OverheadPct)
	assert.Positive(t, *r.OverheadPct)

	r, _ = once(t, c, nil, "map")
	via := ""
	for _, l := range r.Locks {
		if l.Function == "main.stores" {
			via += l.Via
		}
	}
	assert.Contains(t, via, "sync.(*Map)", "a lock of internal/sync is charged to the caller, and says through what")

	r, _ = once(t, c, nil, "wrapped")
	short, long := at(t, r, "main.short"), at(t, r, "main.long")
	assert.EqualValues(t, 20, long.Acquisitions, "whoever calls a Locker of the program's own takes the lock")
	assert.Equal(t, long.Lock, short.Lock)
	assert.Contains(t, long.Via, "traced")
	assert.Less(t, short.Hold.Mean, long.Hold.Mean)

	r, run = once(t, c, nil, "none")
	require.Len(t, run.Processes, 1)
	assert.True(t, run.Processes[0].Ended)
	for _, l := range r.Locks {
		assert.NotContains(t, l.Function, "main.")
	}
}

// A disk without room costs the record, and not the program.
func TestAFullDiskCostsTheRecordAlone(t *testing.T) {
	oddProgram(t)
	c := built(t)
	out := new(bytes.Buffer)
	c.Stderr = out
	c.Args = []string{"sh", "-c", "ulimit -f 64; exec ./tried exit"}
	run, err := c.Once(t.Context(), t.TempDir(), nil, "")
	require.NoError(t, err)
	var exit *exec.ExitError
	require.ErrorAs(t, run.Err, &exit)
	assert.Equal(t, 3, exit.ExitCode(), "the program ran to its own end")
	assert.Empty(t, run.Processes)
	assert.Equal(t, 1, bytes.Count(out.Bytes(), []byte("\n")), "one line: %s", out)
}

// everyBuild asks for those ways to build that compile the standard library
// anew, minutes in all: `make record-builds`.
const everyBuild = "HOSTLOCK_BUILDS"

// However a program is built, its locks are recorded.
func TestEveryWayToBuild(t *testing.T) {
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	workspace := func() {
		require.NoError(t, os.Rename("inner", "../tried-inner"))
		write("../tried-inner/go.mod", "module tried/inner\n\ngo 1.24\n")
		write("go.mod", "module tried\n\ngo 1.24\n\nrequire tried/inner v0.0.0\n")
	}
	recorded := func(t *testing.T, c *Command) *record.Record {
		r, run := once(t, c, nil, "module")
		require.NoError(t, run.Err)
		assert.EqualValues(t, 1, at(t, r, "tried/inner.Held").Acquisitions)
		return r
	}
	for _, way := range []struct {
		name  string
		flags []string
		env   string // beside the default
		dear  bool
		files func()
	}{
		{name: "stripped", flags: []string{"-ldflags=-s -w"}},
		{name: "trimmed", flags: []string{"-trimpath"}, dear: true},
		{name: "cover", flags: []string{"-cover", "-coverpkg=./..."}},
		{name: "workspace", files: func() {
			workspace()
			write("go.work", "go 1.24\n\nuse .\nuse ../tried-inner\n")
		}},
		{name: "vendored", flags: []string{"-mod=vendor"}, files: func() {
			workspace()
			write("go.mod", "module tried\n\ngo 1.24\n\nrequire tried/inner v0.0.0\n\nreplace tried/inner => ../tried-inner\n")
			out, err := exec.Command("go", "mod", "vendor").CombinedOutput()
			require.NoError(t, err, string(out))
		}},
		{name: "static", env: "CGO_ENABLED=0", flags: []string{"-ldflags=-extldflags=-static"}, dear: true},
		{name: "pie", flags: []string{"-buildmode=pie"}, dear: true},
		{name: "race", flags: []string{"-race"}, env: "CGO_ENABLED=1", dear: true},
		{name: "cgo", env: "CGO_ENABLED=1", dear: true, files: func() {
			write("inner/inner.go", `package inner

/*
static int twice(int n) { return 2 * n; }
extern void calledBack(void);
static void callsBack(void) { calledBack(); }
*/
import "C"
import "sync"

var mu sync.Mutex

func Held() { mu.Lock(); C.twice(1); mu.Unlock(); C.callsBack() }

//export calledBack
func calledBack() { mu.Lock(); mu.Unlock() }
`)
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			if way.dear && os.Getenv(everyBuild) == "" {
				t.Skip("compiles the standard library anew: make record-builds runs it")
			}
			if (way.name == "cgo" || way.name == "race") && !hasC() {
				t.Skip("no C compiler")
			}
			oddProgram(t)
			if way.files != nil {
				way.files()
				t.Cleanup(func() { _ = os.RemoveAll("../tried-inner") })
			}
			if name, value, ok := bytes.Cut([]byte(way.env), []byte("=")); ok {
				t.Setenv(string(name), string(value))
			}
			r := recorded(t, built(t, way.flags...))
			if way.name == "cgo" {
				assert.EqualValues(t, 1, at(t, r, "tried/inner.calledBack").Acquisitions)
			}
		})
	}
	t.Run("plugin", func(t *testing.T) {
		if os.Getenv(everyBuild) == "" {
			t.Skip("compiles the standard library anew: make record-builds runs it")
		}
		if !hasC() {
			t.Skip("no C compiler")
		}
		t.Setenv("CGO_ENABLED", "1")
		program(t, `package main

import "plugin"

func main() {
	p, err := plugin.Open("plugged.so")
	if err != nil { panic(err) }
	f, err := p.Lookup("Held")
	if err != nil { panic(err) }
	f.(func())()
}
`)
		write("plugged/main.go", "package main\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc Held() { mu.Lock(); mu.Unlock() }\n")
		plugged, err := Prepare([]string{"go", "build", "-buildmode=plugin", "-o", "plugged.so", "./plugged"})
		require.NoError(t, err)
		plugged.Stdout, plugged.Stderr = os.Stdout, os.Stderr
		require.NoError(t, plugged.Build(t.Context()))
		r, run := once(t, built(t), nil)
		require.NoError(t, run.Err)
		assert.EqualValues(t, 1, at(t, r, "tried/plugged.Held").Acquisitions)
	})
}

func hasC() bool {
	_, err := exec.LookPath("gcc")
	return err == nil && runtime.GOOS == "linux"
}
