package machine

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestCalibrate(t *testing.T) {
	if n := Calibrate(); n < 1 || n > 1e6 {
		t.Errorf("%v iterations per microsecond", n)
	}
	if processCalibration() != processCalibration() {
		t.Error("a process calibrates more than once")
	}
}

// Polled time is idle time: with pollers on idle cores, next to nothing was
// busy. No more is claimed, since this computer is not ours alone.
func TestLivePolledTimeIsIdle(t *testing.T) {
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{IdlePollers: true})
	m.Go("sleeper", 0, false, func(th *Thread) { th.Sleep(50 * time.Millisecond) })
	acc := runAll(t, m, Course{})
	r := m.Report()
	if r.Polled <= 0 || r.CPUKnown && r.Busy() >= r.CPU {
		t.Errorf("%v polled, %v used, %v busy", r.Polled, r.CPU, r.Busy())
	}
	sum := time.Duration(0)
	for _, s := range acc.Samples {
		if s.Time < 0 {
			t.Errorf("%v of %v", s.Time, s.What)
		}
		sum += s.Time
	}
	if whole := acc.Window * time.Duration(acc.Cores); r.CPUKnown && sum != whole {
		t.Errorf("the budget adds up to %v of %v", sum, whole)
	}
}
