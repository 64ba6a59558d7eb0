package machine

import (
	"fmt"
	"testing"
	"time"

	"go.uber.org/atomic"
	"go.uber.org/goleak"
)

// No completion is lost, whoever comes first.
func TestLiveCompletionsAreNotLost(t *testing.T) {
	defer goleak.VerifyNone(t)
	const pairs, each = 64, 1000
	m := newTestLive(t, LiveConfig{IdlePollers: true})
	var taken atomic.Int64
	for i := range pairs {
		var there, back Completion
		there.Init()
		back.Init()
		plain := 0
		m.Go(fmt.Sprint("waiter ", i), i, false, func(th *Thread) {
			for n := range each {
				there.Wait(th)
				if plain != n+1 {
					t.Errorf("woken at %d, expected %d", plain, n+1)
				}
				taken.Inc()
				back.Complete(th)
			}
		})
		m.Go(fmt.Sprint("completer ", i), i+1, false, func(th *Thread) {
			for range each {
				plain++
				there.Complete(th)
				back.Wait(th)
			}
		})
	}
	// Many completers and one waiter, with completions piling up before it.
	var pile Completion
	pile.Init()
	const completers = 32
	m.Go("collector", 0, false, func(th *Thread) {
		for range completers * each {
			pile.Wait(th)
		}
		if n := pile.Done(); n != 0 {
			t.Errorf("%d completions too many", n)
		}
	})
	for i := range completers {
		m.Go(fmt.Sprint("piler ", i), i, false, func(th *Thread) {
			for range each {
				pile.Complete(th)
			}
		})
	}
	runAll(t, m, Course{})
	if taken.Load() != pairs*each {
		t.Fatalf("%d of %d taken", taken.Load(), pairs*each)
	}
}

func TestLiveTimers(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{IdlePollers: true})
	var once, disarmed, replaced, again, soft Timer
	var fired [5]atomic.Int64
	var done Completion
	done.Init()
	once.Init(m, "once", Device, func(th *Thread) { fired[0].Inc(); done.Complete(th) })
	disarmed.Init(m, "disarmed", Device, func(*Thread) { fired[1].Inc() })
	replaced.Init(m, "replaced", Device, func(th *Thread) { fired[2].Inc(); done.Complete(th) })
	again.Init(m, "again", Device, func(th *Thread) {
		if fired[3].Inc() < 100 {
			again.Arm(th, 0)
			return
		}
		done.Complete(th)
	})
	soft.Init(m, "soft", Soft, func(th *Thread) {
		if th.Core() != m.Cores()-1 {
			t.Errorf("soft timer on core %d", th.Core())
		}
		fired[4].Inc()
		done.Complete(th)
	})
	m.Go("arms", m.Cores()-1, false, func(th *Thread) {
		if disarmed.Disarm(th) {
			t.Error("a timer that was never armed was disarmed")
		}
		disarmed.Arm(th, time.Hour)
		if !disarmed.Disarm(th) || disarmed.Disarm(th) {
			t.Error("an armed timer is disarmed once")
		}
		replaced.Arm(th, time.Hour)
		replaced.Arm(th, time.Microsecond)
		once.Arm(th, time.Microsecond)
		again.Arm(th, 0)
		soft.Arm(th, time.Microsecond)
		for range 4 {
			done.Wait(th)
		}
		if once.Disarm(th) {
			t.Error("a timer that has fired was disarmed")
		}
		th.Sleep(2 * time.Millisecond)
	})
	runAll(t, m, Course{})
	for i, want := range []int64{1, 0, 1, 100, 1} {
		if n := fired[i].Load(); n != want {
			t.Errorf("timer %d fired %d times, not %d", i, n, want)
		}
	}
}

// A timer either fires or is disarmed, and a timeout that races with its
// disarming is one of the two, never both nor neither.
func TestLiveDisarmRace(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{IdlePollers: true})
	const timers, each = 32, 200
	var fired, stopped atomic.Int64
	for i := range timers {
		var tm Timer
		var done Completion
		done.Init()
		tm.Init(m, "timeout", Device, func(th *Thread) { fired.Inc(); done.Complete(th) })
		m.Go(fmt.Sprint("worker ", i), i, false, func(th *Thread) {
			for n := range each {
				tm.Arm(th, time.Duration(n%20)*time.Microsecond)
				th.Work(time.Duration(n%7) * time.Microsecond)
				if tm.Disarm(th) {
					stopped.Inc()
				} else {
					done.Wait(th)
				}
			}
		})
	}
	runAll(t, m, Course{})
	if sum := fired.Load() + stopped.Load(); sum != timers*each {
		t.Fatalf("%d fired and %d disarmed of %d", fired.Load(), stopped.Load(), timers*each)
	}
}

// However raises coalesce, the handler runs after the last one.
func TestLiveIRQNeverLosesARaise(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{IdlePollers: true})
	const raisers, each = 32, 1000
	cores := m.Cores()
	posted, seen, runs := make([]atomic.Int64, cores), make([]atomic.Int64, cores), make([]int, cores)
	var q IRQ
	q.Init(m, "irq", Hard, func(th *Thread) {
		runs[th.Core()]++ // one goroutine a core
		seen[th.Core()].Store(posted[th.Core()].Load())
	})
	for i := range raisers {
		m.Go(fmt.Sprint("raiser ", i), i, false, func(th *Thread) {
			for n := range each {
				core := (i + n) % cores
				mine := posted[core].Inc()
				q.Raise(th, core)
				if n%100 == 99 {
					for seen[core].Load() < mine {
						th.Yield()
					}
				}
			}
		})
	}
	runAll(t, m, Course{})
	for core, n := range runs {
		if n == 0 || int64(n) > posted[core].Load() {
			t.Errorf("core %d: %d runs for %d raises", core, n, posted[core].Load())
		}
	}
}

// The shape of the whole path: workers put commands on a locked list, a device
// takes time for each, an interrupt completes them. Every command comes back
// once, to the worker that sent it.
func TestLiveLedger(t *testing.T) {
	for _, kind := range liveKinds {
		t.Run(kind.String(), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			const each = 50
			m := newTestLive(t, LiveConfig{IdlePollers: true, Seed: 1, LockKinds: map[string]Kind{"queue_lock": kind}})
			type command struct {
				device    Timer
				done      Completion
				state     int // 0 owned by the worker, 1 sent, 2 finished by the device
				completed int
			}
			var l SpinLock
			l.Init(m, "queue_lock")
			var finished []*command
			var softirq IRQ
			softirq.Init(m, "block_softirq", Soft, func(th *Thread) {
				l.Lock(th)
				batch := finished
				finished = nil
				l.Unlock(th)
				for _, c := range batch {
					c.completed++
					c.done.Complete(th)
				}
			})
			commands := make([]command, many)
			for i := range commands {
				c := &commands[i]
				c.done.Init()
				c.device.Init(m, "device", Device, func(th *Thread) {
					l.Lock(th)
					if c.state != 1 {
						t.Errorf("device finished a command in state %d", c.state)
					}
					c.state = 2
					finished = append(finished, c)
					l.Unlock(th)
					softirq.Raise(th, i)
				})
				m.Go(fmt.Sprint("worker ", i), i, false, func(th *Thread) {
					for range each {
						l.Lock(th)
						c.state = 1
						l.Unlock(th)
						c.device.Arm(th, Dist{Mean: 50 * time.Microsecond, Shape: Exponential}.Draw(th.Rand()))
						c.done.Wait(th)
						if c.state != 2 {
							t.Errorf("completed in state %d", c.state)
						}
					}
				})
			}
			runAll(t, m, Course{})
			for i := range commands {
				if c := &commands[i]; c.completed != each || c.done.Done() != 0 {
					t.Errorf("command %d completed %d times of %d, %d left", i, c.completed, each, c.done.Done())
				}
			}
			if m.Report().TimerLate.Count == 0 {
				t.Error("no lateness was measured")
			}
		})
	}
}

func TestLiveReadersShare(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{})
	var rw RWMutex
	rw.Init("fs_lock")
	const each = 300
	shared, sum := 0, atomic.Int64{}
	for i := range many {
		m.Go(fmt.Sprint("worker ", i), i, false, func(th *Thread) {
			for n := range each {
				if n%10 == 0 {
					rw.Lock(th)
					shared++
					rw.Unlock(th)
					continue
				}
				rw.RLock(th)
				sum.Add(int64(shared))
				rw.RUnlock(th)
			}
			if th.lv.nheld != 0 {
				t.Errorf("%d locks remembered, none held", th.lv.nheld)
			}
		})
	}
	runAll(t, m, Course{})
	if shared != many*each/10 {
		t.Fatalf("%d of %d writes survived", shared, many*each/10)
	}
}
