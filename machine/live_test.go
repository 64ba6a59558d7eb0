package machine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/atomic"
	"go.uber.org/goleak"
)

// many is how many threads the headline has.
const many = 128

// newTestLive is a live machine without a calibration of its own: no test
// depends on how long anything takes.
func newTestLive(t testing.TB, cfg LiveConfig) *Live {
	t.Helper()
	if cfg.Calibration == 0 {
		cfg.Calibration = 500
	}
	m, err := NewLive(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// runAll runs m until its threads have returned.
func runAll(t testing.TB, m *Live, p Course) *Account {
	t.Helper()
	acc, err := m.Run(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return acc
}

// startGun is a course whose threads begin when the window does.
func startGun() (Course, chan struct{}) {
	start := make(chan struct{})
	return Course{Begin: func() { close(start) }}, start
}

func TestLiveIsAMachine(t *testing.T) {
	defer goleak.VerifyNone(t)
	var m Machine = newTestLive(t, LiveConfig{Seed: 7, LockKinds: map[string]Kind{"a": Mutex}})
	if m.Name() != "live" || m.Cores() != runtime.GOMAXPROCS(0) || m.Seed() != 7 {
		t.Fatalf("%s, %d cores, seed %d", m.Name(), m.Cores(), m.Seed())
	}
	if m.LockKind("a") != Mutex || m.LockKind("b") != TAS {
		t.Fatal("lock kinds by class")
	}
}

func TestLiveConfigRefusals(t *testing.T) {
	for want, cfg := range map[string]LiveConfig{
		"use the simulator": {Cores: runtime.GOMAXPROCS(0) + 1},
		"host_lock=ticket":  {LockKinds: map[string]Kind{"host_lock": Ticket}},
		"calibration":       {Calibration: -1},
		"spin limit":        {SpinLimit: -1},
	} {
		_, err := NewLive(cfg)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v, want one line with %q", cfg, err, want)
		}
	}
	if runtime.NumCPU() < 64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 1))
		if _, err := NewLive(LiveConfig{}); err == nil || !strings.Contains(err.Error(), "preemption") {
			t.Errorf("more Ps than processors: %v", err)
		}
	}
}

func TestLiveRunsOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{})
	runAll(t, m, Course{})
	if _, err := m.Run(context.Background(), Course{}); err == nil {
		t.Fatal("ran twice")
	}
}

// Phases come in order, progress grows to 1, and threads see them.
func TestLivePhases(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{IdlePollers: true})
	var begun, ended, inside, after atomic.Int64
	late := atomic.NewBool(false)
	m.Go("worker", 1, false, func(th *Thread) {
		for !m.Stopping() {
			th.Work(20 * time.Microsecond)
			if begun.Load() == 1 && ended.Load() == 0 {
				inside.Inc()
			}
		}
		if ended.Load() == 0 {
			late.Store(true)
		}
		after.Inc()
	})
	progress := []float64{}
	acc := runAll(t, m, Course{
		Warmup: 5 * time.Millisecond, Duration: 250 * time.Millisecond,
		Begin:    func() { begun.Inc() },
		End:      func() { ended.Inc() },
		Progress: func(d float64) { progress = append(progress, d) },
	})
	if begun.Load() != 1 || ended.Load() != 1 || inside.Load() == 0 || after.Load() != 1 || late.Load() {
		t.Fatalf("begun %d, ended %d, inside %d, after %d, stopping before the end: %v",
			begun.Load(), ended.Load(), inside.Load(), after.Load(), late.Load())
	}
	if len(progress) < 2 || progress[len(progress)-1] != 1 {
		t.Fatalf("progress %v", progress)
	}
	if r := m.Report(); acc.Window < 250*time.Millisecond || r.Window != acc.Window {
		t.Fatalf("window %v, in the report %v", acc.Window, r.Window)
	}
}

func TestLiveThreadsAddThreads(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{})
	var ran atomic.Int64
	m.Go("parent", 0, false, func(*Thread) {
		for i := range 20 {
			m.Go(fmt.Sprintf("child %d", i), i, false, func(th *Thread) {
				if th.Core() < 0 || th.Core() >= m.Cores() {
					t.Errorf("core %d", th.Core())
				}
				th.Sleep(time.Millisecond)
				ran.Inc()
			})
		}
	})
	m.Go("daemon", -1, true, func(th *Thread) {
		for {
			th.Sleep(time.Hour)
		}
	})
	runAll(t, m, Course{})
	if ran.Load() != 20 {
		t.Fatalf("%d of 20 children ran", ran.Load())
	}
}

func TestLivePanicFailsTheRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{})
	var l SpinLock
	l.Init(m, "host_lock")
	holding := make(chan struct{})
	m.Go("bad", 0, false, func(th *Thread) {
		l.Lock(th)
		close(holding)
		panic("a fault in the strategy")
	})
	m.Go("waiter", 0, false, func(th *Thread) {
		<-holding
		l.Lock(th)
	})
	acc, err := m.Run(context.Background(), Course{Duration: time.Hour})
	if acc == nil || err == nil || strings.Count(err.Error(), "a fault in the strategy") != 1 {
		t.Fatalf("account %v, error %v", acc, err)
	}
}

// A cancelled run keeps its account, and every thread is gone afterwards,
// whatever it was doing.
func TestLiveCancelReleasesEveryWait(t *testing.T) {
	for _, kind := range []Kind{TAS, Mutex} {
		t.Run(kind.String(), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			m := newTestLive(t, LiveConfig{IdlePollers: true, LockKinds: map[string]Kind{"held": kind}})
			var l SpinLock
			l.Init(m, "held")
			var rw RWMutex
			rw.Init("fs_lock")
			var word Word
			word.Init(NewLine("word"), 0)
			var never, ready Completion
			never.Init()
			ready.Init()
			var tm Timer
			tm.Init(m, "tick", Device, func(th *Thread) { tm.Arm(th, time.Millisecond) })
			var q IRQ
			q.Init(m, "irq", Hard, func(*Thread) {})
			holding := make(chan struct{})
			m.Go("holder", 0, false, func(th *Thread) {
				l.Lock(th)
				rw.Lock(th)
				tm.Arm(th, time.Millisecond)
				q.Raise(th, 1)
				close(holding)
				never.Wait(th)
			})
			waits := map[string]func(*Thread){
				"spin":  l.Lock,
				"read":  rw.RLock,
				"write": rw.Lock,
				"sleep": func(th *Thread) { th.Sleep(time.Hour) },
				"work":  func(th *Thread) { th.Work(time.Hour) },
				"yield": func(th *Thread) {
					for {
						th.Yield()
					}
				},
				"relax": func(th *Thread) {
					for word.Load(th) == 0 {
						th.Relax(&word)
					}
				},
			}
			for name, wait := range waits {
				m.Go(name, 0, false, func(th *Thread) {
					<-holding
					wait(th)
					t.Errorf("%s got what it waited for", name)
				})
			}
			ctx, cancel := context.WithCancelCause(context.Background())
			stop := errors.New("Ctrl-C")
			p := Course{Duration: time.Hour, Drain: time.Millisecond, Progress: func(float64) { cancel(stop) }}
			acc, err := m.Run(ctx, p)
			if !errors.Is(err, stop) || acc == nil || acc.Window <= 0 {
				t.Fatalf("error %v, account %+v", err, acc)
			}
			if notes := strings.Join(acc.Notes, "\n"); !strings.Contains(notes, "partial") || !strings.Contains(notes, "gave up") {
				t.Errorf("notes: %s", notes)
			}
		})
	}
}

// Counts that could not be read are reported as such, not invented.
func TestLiveSaysWhichLocksItCouldNotRead(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{})
	var l SpinLock
	l.Init(m, "host_lock")
	var never Completion
	never.Init()
	holding := make(chan struct{})
	m.Go("holder", 0, true, func(th *Thread) {
		l.Lock(th)
		close(holding)
		never.Wait(th)
	})
	m.Go("other", 0, false, func(*Thread) { <-holding })
	acc := runAll(t, m, Course{})
	if notes := strings.Join(acc.Notes, "\n"); !strings.Contains(notes, "locks of class host_lock were held") {
		t.Errorf("notes: %q", notes)
	}
}

func TestLiveRandomSubStreams(t *testing.T) {
	draw := func() []uint64 {
		m := newTestLive(t, LiveConfig{Seed: 3})
		out := make([]uint64, 2)
		for i := range out {
			m.Go(fmt.Sprintf("thread %d", i), 0, false, func(th *Thread) { out[i] = th.Rand().Uint64() })
		}
		var a, b Timer
		a.Init(m, "done", Device, nil)
		b.Init(m, "done", Device, nil)
		runAll(t, m, Course{})
		return append(out, a.live.thread.Rand().Uint64(), b.live.thread.Rand().Uint64())
	}
	first, second := draw(), draw()
	seen := map[uint64]bool{}
	for i := range first {
		if first[i] != second[i] {
			t.Fatalf("draw %d differs between runs", i)
		}
		if seen[first[i]] {
			t.Fatalf("draw %d repeats another stream", i)
		}
		seen[first[i]] = true
	}
}
