package machine

import "time"

// Live is the machine made of this computer: real goroutines, real atomics.
type Live struct{ Base }

func (m *Live) burn(d time.Duration)           {}
func (m *Live) sleep(d time.Duration)          { time.Sleep(d) }
func (m *Live) yield()                         {}
func (m *Live) relax()                         {}
func (m *Live) now() time.Duration             { return 0 }
func (m *Live) park(wake <-chan struct{}) bool { <-wake; return true }

type liveLock struct{}

func (l *SpinLock) lockLive(t *Thread)   {}
func (l *SpinLock) unlockLive(t *Thread) {}

type liveTimer struct{}

func (tm *liveTimer) arm(t *Thread, d time.Duration) {}
func (tm *liveTimer) disarm() bool                   { return false }

type liveIRQ struct{}

func (q *liveIRQ) raise(core int) {}
