package machine

import (
	"context"
	"fmt"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

var (
	sectionQueue    = NewSection("scsi_request_fn")
	sectionDispatch = NewSection("scsi_dispatch_cmd")
)

// liveKinds are the kinds that are real on the live machine.
var liveKinds = []Kind{TAS, Mutex}

func TestLiveMutualExclusion(t *testing.T) {
	const each = 500
	for _, kind := range liveKinds {
		t.Run(kind.String(), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			m := newTestLive(t, LiveConfig{IdlePollers: true, LockKinds: map[string]Kind{"host_lock": kind}})
			var l SpinLock
			l.Init(m, "host_lock")
			course, start := startGun()
			protected, tried := 0, 0
			for i := range many {
				m.Go(fmt.Sprint("worker ", i), i, false, func(th *Thread) {
					<-start
					for range each {
						l.Lock(th)
						protected++
						if !l.Held() {
							t.Error("held, but does not say so")
						}
						l.Unlock(th)
						for !l.TryLock(th) {
							th.Yield()
						}
						tried++
						l.Unlock(th)
					}
				})
			}
			acc := runAll(t, m, course)
			if protected != many*each || tried != many*each {
				t.Fatalf("%d and %d of %d increments survived", protected, tried, many*each)
			}
			if l.Held() {
				t.Error("nobody holds it, but it says so")
			}
			st := acc.Locks[0]
			if st.Class != "host_lock" || st.Acquisitions != 2*many*each {
				t.Errorf("%d acquisitions of %s counted, %d made", st.Acquisitions, st.Class, 2*many*each)
			}
			if st.Contentions != st.Wait.Count || st.Contentions > st.Acquisitions {
				t.Errorf("%d contentions, %d waits", st.Contentions, st.Wait.Count)
			}
			if want := st.Acquisitions / sampleEvery; !st.HoldSampled || st.Hold.Count < want-1 || st.Hold.Count > want+1 {
				t.Errorf("%d holds timed of %d", st.Hold.Count, st.Acquisitions)
			}
		})
	}
}

// The window's counts are exact wherever in the sampling cycle it begins.
func TestLiveAcquisitionsAreExact(t *testing.T) {
	for _, kind := range liveKinds {
		m := newTestLive(t, LiveConfig{LockKinds: map[string]Kind{"l": kind}})
		var l SpinLock
		l.Init(m, "l")
		th := m.newThread("t", "t", 0)
		total := int64(0)
		for i := range int64(3 * sampleEvery) {
			if i%3 == 0 {
				if !l.TryLock(th) {
					t.Fatalf("%v: free lock not taken after %d", kind, total)
				}
			} else {
				l.Lock(th)
			}
			if l.TryLock(th) {
				t.Fatalf("%v: taken twice after %d", kind, total)
			}
			l.Unlock(th)
			total++
			if ok := l.seize(m, func(acquired int64) {
				if acquired != total {
					t.Fatalf("%v: %d counted of %d", kind, acquired, total)
				}
			}); !ok {
				t.Fatalf("%v: free lock not seized", kind)
			}
		}
	}
}

// contend makes one thread wait for a lock that another one holds, in
// sections, and returns what the machine says of it.
func contend(t *testing.T, m *Live) *Account {
	var l SpinLock
	l.Init(m, "host_lock")
	waits := func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		for th := range m.threads {
			if th.name == "waiter" && th.lv.sites.Load() != nil {
				return true
			}
		}
		return false
	}
	course, start := startGun()
	held := make(chan struct{})
	m.Go("holder", 0, false, func(th *Thread) {
		<-start
		l.Lock(th)
		close(held)
		for !waits() {
			th.Sleep(time.Millisecond)
		}
		th.Work(3 * time.Millisecond)
		l.Unlock(th)
	})
	m.Go("waiter", 1, false, func(th *Thread) {
		th.Enter(sectionQueue)
		th.Enter(sectionDispatch)
		<-held
		l.Lock(th)
		l.Unlock(th)
		th.Leave()
		th.Leave()
	})
	return runAll(t, m, course)
}

func lossOf(t *testing.T, acc *Account) Sample {
	t.Helper()
	for _, s := range acc.Samples {
		if s.Class == "host_lock" {
			if s.Section != sectionDispatch.Name || len(s.Path) != 2 || s.Path[0] != sectionQueue.Name {
				t.Errorf("charged to %q, path %q", s.Section, s.Path)
			}
			if len(s.Stack) == 0 || s.Count != 1 || s.Core != -1 {
				t.Errorf("sample %+v", s)
			}
			return s
		}
	}
	t.Fatalf("no sample of the wait in %+v", acc.Samples)
	return Sample{}
}

func TestLiveSpinIsChargedToItsPath(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{})
	acc := contend(t, m)
	s := lossOf(t, acc)
	st := acc.Locks[0]
	if s.What != Spinning || s.Time <= 0 || s.Time > st.Wait.Total || st.Contentions != 1 {
		t.Errorf("sample %+v beside %+v", s, st)
	}
	if r := m.Report(); r.Spun != s.Time {
		t.Errorf("report says %v spun, sample %v", r.Spun, s.Time)
	}
}

func TestLiveMutexWaitIsNoSpinning(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{LockKinds: map[string]Kind{"host_lock": Mutex}})
	acc := contend(t, m)
	if s := lossOf(t, acc); s.What != Idle || s.Time != 0 || s.Blocked <= 0 || s.Blocked != acc.Locks[0].Wait.Total {
		t.Errorf("sample %+v beside %+v", s, acc.Locks[0])
	}
}

func TestLiveSpinLabels(t *testing.T) {
	defer goleak.VerifyNone(t)
	var mu sync.Mutex
	asked := map[string]int{}
	m := newTestLive(t, LiveConfig{
		BaseLabels: pprof.WithLabels(context.Background(), pprof.Labels("strategy", "host-lock")),
		Labels: func(class, section string) context.Context {
			mu.Lock()
			defer mu.Unlock()
			asked[class+" in "+section]++
			return pprof.WithLabels(context.Background(), pprof.Labels("lock", class, "section", section))
		},
	})
	contend(t, m)
	if len(asked) != 1 || asked["host_lock in scsi_dispatch_cmd"] != 1 {
		t.Errorf("labels asked for: %v", asked)
	}
}
