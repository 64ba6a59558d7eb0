package machine

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Whoever stops the machine ends the window, or keeps it from beginning.
func TestLiveStopEndsTheWindow(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, inWarmup := range []bool{true, false} {
		m := newTestLive(t, LiveConfig{})
		began := make(chan struct{})
		course := Course{Duration: time.Hour, Begin: func() { close(began) }}
		if inWarmup {
			course.Warmup = time.Hour
			close(began)
		}
		m.Go("load", 0, false, func(th *Thread) {
			<-began
			m.Stop()
			m.Stop() // as the second thread to fail does
			for !m.Stopping() {
				th.Sleep(time.Millisecond)
			}
		})
		acct, err := m.Run(context.Background(), course)
		if err != nil {
			t.Fatal(err)
		}
		if !acct.Cut || acct.Window >= time.Hour || inWarmup != (acct.Window == 0) {
			t.Errorf("in warm-up %v: cut %v, window %v", inWarmup, acct.Cut, acct.Window)
		}
	}
}
