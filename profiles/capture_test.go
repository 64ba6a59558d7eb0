package profiles

import (
	"context"
	"hostlock/machine/computer"
	"hostlock/results"
	"path/filepath"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var sink uint64

// spend keeps the processor busy for so much of this process's own CPU time,
// so that a loaded computer makes the test slow, not wrong.
//
//go:noinline
func spend(d time.Duration) {
	start, known := computer.ProcessCPU()
	begin := time.Now()
	for now := start; known && now-start < d && time.Since(begin) < 20*d; now, _ = computer.ProcessCPU() {
		for i := range uint64(100_000) {
			sink += i * i
		}
	}
}

func TestCPUCapture(t *testing.T) {
	labels := NewLabels("ring", []string{results.RequestFn}, []string{ClassHostLock})
	for _, rate := range []int{0, 250} {
		path := filepath.Join(t.TempDir(), "x.cpu.pb.gz")
		c, err := StartCPU(path, rate, fixtureInfo)
		if err != nil {
			t.Skip("another CPU profile is being taken: ", err)
		}
		_, err = StartCPU("", 0, Info{})
		require.Error(t, err, "only one at a time")
		setLabels(labels, results.RequestFn, "")
		spend(300 * time.Millisecond)
		pprof.SetGoroutineLabels(context.Background())
		got, err := c.Stop()
		require.NoError(t, err)
		if len(got.Profile.Sample) == 0 {
			t.Skip("no CPU timer on this computer")
		}
		a, err := AttributeFile(path, Options{})
		require.NoError(t, err)
		require.True(t, a.Sampled)
		require.Equal(t, "chen-2010", a.Info.Name)
		require.Contains(t, a.Info.Figures, "real time, sampled by runtime/pprof")
		require.Equal(t, got.CPU, a.Busy+a.Idle)
		require.Zero(t, a.HostLock.Time)
		require.Positive(t, share(a.WorkBySection, results.RequestFn).Time)
	}
}

func TestCPUCaptureRefusesRates(t *testing.T) {
	for _, rate := range []int{-1, MaxRate + 1} {
		_, err := StartCPU("", rate, Info{})
		require.ErrorContains(t, err, "legal is 1 to 1000")
	}
}

func TestWallCapture(t *testing.T) {
	c := StartWall(filepath.Join(t.TempDir(), "x.wall.pb.gz"), fixtureInfo)
	time.Sleep(100 * time.Millisecond)
	got, err := c.Stop()
	require.NoError(t, err)
	p, err := ReadFile(got.Path)
	require.NoError(t, err)
	info, ok := ReadInfo(p)
	require.True(t, ok)
	require.Contains(t, info.Figures, "fgprof")
	_, err = Attribute(p, Options{})
	require.ErrorContains(t, err, "not a CPU profile")
}

// contend makes one goroutine wait for a mutex until the other is seen to.
func contend() {
	var mu sync.Mutex
	mu.Lock()
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
	})
	time.Sleep(20 * time.Millisecond)
	mu.Unlock()
	wg.Wait()
}

func TestLockCaptureLeavesOutWhatWasBefore(t *testing.T) {
	dir := t.TempDir()
	first, err := StartLocks(dir, LockRates{}, fixtureInfo)
	require.NoError(t, err)
	contend()
	one, err := first.Stop()
	require.NoError(t, err)
	require.NotEmpty(t, one[KindMutex].Profile.Sample)
	require.NotEmpty(t, one[KindBlock].Profile.Sample)
	require.Equal(t, filepath.Join(dir, "chen-2010_fixture_4c.mutex.pb.gz"), one[KindMutex].Path)

	second, err := StartLocks("", LockRates{}, fixtureInfo)
	require.NoError(t, err)
	two, err := second.Stop()
	require.NoError(t, err)
	for _, s := range two[KindMutex].Profile.Sample {
		require.NotContains(t, names(s), "hostlock/profiles.contend.func1")
	}
	require.NoError(t, two[KindMutex].Profile.CheckValid())
}

func TestLabelsAllocateNothing(t *testing.T) {
	l := NewLabels("ring", []string{results.RequestFn, results.RunQueue}, []string{"host_lock", "queue_lock"})
	defer pprof.SetGoroutineLabels(context.Background())
	require.Zero(t, testing.AllocsPerRun(100, func() {
		setLabels(l, results.RequestFn, "host_lock")
		setLabels(l, results.RunQueue, "")
		setLabels(l, "", "")
		setLabels(l, "not prepared", "host_lock")
	}))

	get := func(ctx context.Context, key string) string {
		v, _ := pprof.Label(ctx, key)
		return v
	}
	for _, c := range []struct{ section, lock, wantSection, wantLock string }{
		{results.RequestFn, "queue_lock", results.RequestFn, "queue_lock"},
		{"", "host_lock", "", "host_lock"},
		{results.RunQueue, "unknown", results.RunQueue, ""},
		{"unknown", "host_lock", "", "host_lock"},
		{"unknown", "unknown", "", ""},
	} {
		ctx := l.Context(c.section, c.lock)
		require.Equal(t, "ring", get(ctx, LabelStrategy))
		require.Equal(t, c.wantSection, get(ctx, LabelSection))
		require.Equal(t, c.wantLock, get(ctx, LabelLock))
	}
}
