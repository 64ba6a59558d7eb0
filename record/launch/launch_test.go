package launch

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/record"
	"hostlock/record/overlay"
)

// program writes a module and goes there.
func program(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("go.mod", []byte("module tried\n\ngo 1.24\n"), 0o644))
	require.NoError(t, os.WriteFile("main.go", []byte(text), 0o644))
}

// built builds the program for recording.
func built(t *testing.T, flags ...string) *Command {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the recorder needs Linux")
	}
	out := new(bytes.Buffer)
	c, err := Prepare(append([]string{"go", "build", "-o", "tried"}, flags...))
	require.NoError(t, err)
	c.Stdout, c.Stderr = out, out
	require.NoError(t, c.Build(t.Context()), out)
	c.Args = []string{"./tried"}
	return c
}

func once(t *testing.T, c *Command, s *Stretch, args ...string) (*record.Record, *Run) {
	t.Helper()
	own := *c
	own.Args = append([]string{"./tried"}, args...)
	run, err := own.Once(t.Context(), t.TempDir(), s, "")
	require.NoError(t, err)
	r := record.Build(run.Processes)
	r.Note()
	return r, run
}

// at finds a site by its function.
func at(t *testing.T, r *record.Record, function string) record.Lock {
	t.Helper()
	for _, l := range r.Locks {
		if l.Function == function {
			return l
		}
	}
	require.Failf(t, "no such site", "%s of %+v", function, r.Locks)
	return record.Lock{}
}

const many = `package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

type guarded struct {
	mu sync.Mutex
	n  int
}

func (g *guarded) deferred() { g.mu.Lock(); defer g.mu.Unlock(); g.n++ }
func (g *guarded) tried() bool {
	if !g.mu.TryLock() { return false }
	g.mu.Unlock()
	return true
}
func (g *guarded) handed() {
	g.mu.Lock()
	done := make(chan bool)
	go func() { g.mu.Unlock(); close(done) }()
	<-done
}
func waits(c *sync.Cond, ready *bool) {
	c.L.Lock()
	for !*ready { c.Wait() }
	c.L.Unlock()
}
func sleeps(mu *sync.Mutex) { mu.Lock(); time.Sleep(5 * time.Millisecond); mu.Unlock() }
func inner(mu *sync.Mutex) { mu.Lock(); time.Sleep(2 * time.Millisecond); mu.Unlock() }
func outer(a, b *sync.Mutex) { a.Lock(); inner(b); a.Unlock() }
func reads(rw *sync.RWMutex) { rw.RLock(); time.Sleep(time.Millisecond); rw.RUnlock() }
func writes(rw *sync.RWMutex) { rw.Lock(); time.Sleep(time.Millisecond); rw.Unlock() }
func spin(mu *sync.Mutex) {
	mu.Lock()
	for end := time.Now().Add(20 * time.Microsecond); time.Now().Before(end); {}
	mu.Unlock()
}
var padded [64]struct { mu sync.Mutex; _ [56]byte }
func shards(i int) { padded[i%64].mu.Lock(); padded[i%64].mu.Unlock() }

func main() {
	fmt.Println(unsafe.Sizeof(sync.Mutex{}), unsafe.Sizeof(sync.RWMutex{}), unsafe.Sizeof(padded))
	var g guarded
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "none":
			return
		case "panic":
			g.deferred()
			panic("as asked")
		case "kill":
			g.deferred()
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		case "fatal":
			g.deferred()
			var mu sync.Mutex
			mu.Unlock()
		case "dead":
			g.mu.Lock()
			g.mu.Lock()
		case "spin":
			var mu sync.Mutex
			for range 300 { spin(&mu) }
		}
		return
	}
	for range 1000 { g.deferred() }
	for range 100 { g.tried() }
	g.mu.Lock()
	for range 7 { g.tried() }
	g.mu.Unlock()
	for range 50 { g.handed() }
	var mu sync.Mutex
	c, ready := sync.NewCond(&mu), false
	var wg sync.WaitGroup
	each := func(n int, f func()) { for range n { wg.Add(1); go func() { defer wg.Done(); f() }() } }
	each(1, func() { waits(c, &ready) })
	time.Sleep(10 * time.Millisecond)
	mu.Lock(); ready = true; mu.Unlock(); c.Broadcast()
	wg.Wait()
	var s, a, b sync.Mutex
	each(2, func() { for range 5 { sleeps(&s) } })
	each(1, func() { for range 20 { outer(&a, &b) } })
	each(2, func() { for range 20 { inner(&b) } })
	var rw sync.RWMutex
	each(3, func() { for range 10 { reads(&rw) } })
	each(1, func() { for range 10 { writes(&rw) } })
	wg.Wait()
	each(2, func() { for i := range 6400 { shards(i) } })
	wg.Wait()
	io.WriteString(os.Stderr, "")
}
`

// One program shows all that a lock may be put to.
func TestRecordsWhatTheProgramDoes(t *testing.T) {
	program(t, many)
	before := plainBuild(t)
	c := built(t)
	out := new(bytes.Buffer)
	c.Stdout, c.Stderr = out, out

	r, run := once(t, c, nil)
	require.NoError(t, run.Err, out)
	assert.Equal(t, "8 24 4096\n", out.String(), "the layout of the locks stays")
	require.Len(t, run.Processes, 1)
	assert.True(t, run.Processes[0].Ended)

	deferred := at(t, r, "main.(*guarded).deferred")
	assert.EqualValues(t, 1000, deferred.Acquisitions)
	assert.Zero(t, deferred.Contended)
	tried := at(t, r, "main.(*guarded).tried")
	assert.EqualValues(t, 100, tried.Acquisitions)
	assert.EqualValues(t, 7, tried.TryFailed)
	assert.Equal(t, deferred.Lock, tried.Lock, "the sites of one lock are told to be so")
	assert.Positive(t, at(t, r, "main.(*guarded).handed").Foreign)

	assert.EqualValues(t, 1, at(t, r, "main.waits").Instances)
	sleeps := at(t, r, "main.sleeps")
	assert.EqualValues(t, 10, sleeps.Acquisitions)
	assert.Positive(t, sleeps.Contended)
	assert.Greater(t, sleeps.Hold.Mean, 5e6)
	assert.Greater(t, sleeps.ParkedPct["sleep"], 50.0)
	assert.NotEmpty(t, sleeps.Notes)

	outer := at(t, r, "main.outer")
	require.NotEmpty(t, outer.Nested)
	assert.Equal(t, at(t, r, "main.inner").Site, outer.Nested[0].Site)
	assert.Positive(t, outer.HoldSplitPct["lock"])

	reads, writes := at(t, r, "main.reads"), at(t, r, "main.writes")
	assert.True(t, reads.Reads)
	assert.EqualValues(t, 30, reads.ReadAcq)
	assert.EqualValues(t, 10, writes.Acquisitions)
	assert.Equal(t, reads.Lock, writes.Lock)
	assert.Greater(t, reads.Hold.Mean, 1e6)
	if reads.ReadWindowHold != nil {
		assert.Greater(t, *reads.ReadWindowHold, 1e6)
	}
	shards := at(t, r, "main.shards")
	assert.EqualValues(t, 12800, shards.Acquisitions)
	for _, l := range r.Locks {
		assert.NotContains(t, l.Function, "RWMutex", "an RWMutex's inner Mutex is not counted again")
		sum := 0.0
		for _, v := range l.HoldSplitPct {
			sum += v
		}
		if sum != 0 {
			assert.InDelta(t, 100, sum, 1, l.Site)
		}
	}

	// Bad ends leave what was recorded until then.
	for _, end := range []string{"panic", "kill", "fatal", "dead"} {
		r, run := once(t, c, nil, end)
		var exit *exec.ExitError
		assert.ErrorAs(t, run.Err, &exit, end)
		require.Len(t, run.Processes, 1, end)
		assert.False(t, run.Processes[0].Ended, end)
		if end != "dead" {
			assert.EqualValues(t, 1, at(t, r, "main.(*guarded).deferred").Acquisitions, end)
		}
	}

	// A longer hold is longer by as much, and the control's is not.
	for _, s := range []Stretch{{Site: "main.spin", Factor: 1}, {Site: "main.spin", Factor: 3}, {Site: "main.spin", Factor: 3, Outside: true}} {
		r, _ := once(t, c, &s, "spin")
		l := at(t, r, "main.spin")
		if s.Factor == 3 && !s.Outside {
			assert.Greater(t, l.Hold.P50, 40e3)
		} else {
			assert.Less(t, l.Hold.P50, 40e3, "%+v", s)
		}
	}
	assert.Equal(t, before, plainBuild(t), "the program's own build is what it was")
}

// plainBuild is the program as it is built without the recorder.
func plainBuild(t *testing.T) []byte {
	t.Helper()
	out, err := exec.Command("go", "build", "-o", "plain").CombinedOutput()
	require.NoError(t, err, string(out))
	text, err := os.ReadFile("plain")
	require.NoError(t, err)
	return text
}

func TestTakeOverlay(t *testing.T) {
	for _, c := range []struct {
		in   string
		rest string
		file string
	}{
		{"go test -overlay=a.json ./...", "go test ./...", "a.json"},
		{"go test -overlay a.json ./...", "go test ./...", "a.json"},
		{"go test --overlay=a -overlay=b", "go test", "b"},
		{"go run . -args -overlay=a", "go run . -args -overlay=a", ""},
		{"go run overlay=a", "go run overlay=a", ""},
	} {
		rest, file, err := takeOverlay(strings.Fields(c.in))
		require.NoError(t, err)
		assert.Equal(t, strings.Fields(c.rest), rest)
		assert.Equal(t, c.file, file)
	}
	_, _, err := takeOverlay([]string{"go", "test", "-overlay"})
	assert.ErrorAs(t, err, new(*overlay.Refusal))
}

func TestPrepareMergesAnOverlay(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the recorder needs Linux")
	}
	program(t, "package main\nfunc main() {}\n")
	require.NoError(t, os.WriteFile("mine.json", []byte(`{"Replace":{"main.go":"other.go"}}`), 0o644))
	c, err := Prepare([]string{"go", "build", "-overlay=mine.json"})
	require.NoError(t, err)
	assert.Equal(t, []string{"go", "build"}, c.Args)
	_, file, ok := strings.Cut(c.env[len(c.env)-1], "-overlay=")
	require.True(t, ok)
	text, err := os.ReadFile(strings.Fields(file)[0])
	require.NoError(t, err)
	assert.Contains(t, string(text), filepath.Base("other.go"))

	// One in GOFLAGS counts as much, and other flags there stay.
	t.Setenv("GOFLAGS", "-trimpath -overlay=mine.json")
	c, err = Prepare([]string{"go", "build"})
	require.NoError(t, err)
	assert.Contains(t, c.env[len(c.env)-1], "-trimpath")
	assert.Equal(t, 1, strings.Count(c.env[len(c.env)-1], "-overlay="))
	_, file, _ = strings.Cut(c.env[len(c.env)-1], "-overlay=")
	text, err = os.ReadFile(strings.Fields(file)[0])
	require.NoError(t, err)
	assert.Contains(t, string(text), "other.go")
	t.Setenv("GOFLAGS", "")

	for _, bad := range []string{`{`, `[]`} {
		require.NoError(t, os.WriteFile("mine.json", []byte(bad), 0o644))
		_, err := Prepare([]string{"go", "build", "-overlay=mine.json"})
		assert.ErrorAs(t, err, new(*overlay.Refusal))
	}
}

func TestOnceRefusesWhatCannotRun(t *testing.T) {
	c := &Command{Args: []string{"./nothing-here"}}
	_, err := c.Once(context.Background(), "", nil, "")
	var refusal *overlay.Refusal
	assert.True(t, errors.As(err, &refusal))
}

func TestBenchmarks(t *testing.T) {
	const text = "goos: linux\nBenchmarkA-2   10   100 ns/op\nBenchmarkB-2 5 400 ns/op 3 B/op\nBenchmarkC 0 x ns/op\nPASS\n"
	ns, n := Benchmarks([]byte(text), "")
	assert.Equal(t, 2, n)
	assert.InDelta(t, 200, ns, 1e-9)
	ns, n = Benchmarks([]byte(text), "BenchmarkB")
	assert.Equal(t, 1, n)
	assert.InDelta(t, 400, ns, 1e-9)
}
