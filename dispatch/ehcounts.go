package dispatch

import (
	"sync/atomic"

	"hostlock/dispatch/eh"
)

// ehCounts are instruments: they cost nothing in virtual time.
type ehCounts struct {
	timedOut, late, retried, gaveUp, offlined, recoveries, injected atomic.Int64
	extended, senses, starts                                        atomic.Int64
	stages                                                          [eh.Levels]atomic.Int64
}

// ErrorCounts reports them, once the machine has stopped.
func (sys *System) ErrorCounts() eh.Counts {
	c := &sys.ehCounts
	out := eh.Counts{
		TimedOut: c.timedOut.Load(), Late: c.late.Load(), Retried: c.retried.Load(), GaveUp: c.gaveUp.Load(),
		Extended: c.extended.Load(), Senses: c.senses.Load(), Starts: c.starts.Load(),
		Offlined: c.offlined.Load(), Recoveries: c.recoveries.Load(), Injected: c.injected.Load(),
	}
	for i := range out.Stages {
		out.Stages[i] = c.stages[i].Load()
	}
	return out
}
