package machine

import "time"

// LiveReport is what only a live run has to say, over its window and in real
// time.
type LiveReport struct {
	Window      time.Duration
	CPU         time.Duration // of this process, by the system's count
	CPUKnown    bool
	Polled      time.Duration // what idle pollers used of it
	Spun        time.Duration // by the clock, without the time that others ran meanwhile
	Yields      int64         // how often a spinner reached the spin limit
	Neighbours  Neighbours
	TimerLate   Extremes // of one timer in 16, over the whole run
	TimeScale   float64
	Calibration float64
}

// Busy is the processor time that was not idling: the denominator of every
// share.
func (r LiveReport) Busy() time.Duration { return max(r.CPU-r.Polled, 0) }

// SpinShare is the share of busy time that was spun, by the locks' clocks;
// 0 where the system does not say what was used.
func (r LiveReport) SpinShare() float64 {
	if !r.CPUKnown || r.Busy() == 0 {
		return 0
	}
	return float64(r.Spun) / float64(r.Busy())
}

// Report is valid once Run has returned.
func (m *Live) Report() LiveReport { return m.report }
