package dispatch

import (
	"fmt"
	"sync/atomic"
)

// ehCounts are instruments: they cost nothing in virtual time.
type ehCounts struct {
	timedOut, late, retried, gaveUp, offlined, recoveries, injected atomic.Int64
	extended, senses, starts                                        atomic.Int64
	stages                                                          [levels]atomic.Int64
}

// ErrorCounts is what error handling did in the whole run, over all hosts.
type ErrorCounts struct {
	TimedOut   int64 // commands whose timer won, and that the handler got
	Extended   int64 // times that the driver let a command have its time once more
	Senses     int64 // REQUEST SENSE sent
	Starts     int64 // START UNIT sent
	Late       int64 // of them, completed by the driver all the same
	Retried    int64 // put back into their queue by the handler
	GaveUp     int64 // finished by it, as timed out
	Offlined   int64 // devices
	Recoveries int64 // times that a host was brought back
	Injected   int64 // second completions that a driver was told to make, and that did nothing
	// Stages has how often each was tried: aborts of commands, including that of
	// a TEST UNIT READY, then resets, by Level.
	Stages [levels]int64
}

// ErrorCounts reports them, once the machine has stopped.
func (sys *System) ErrorCounts() ErrorCounts {
	c := &sys.ehCounts
	out := ErrorCounts{
		TimedOut: c.timedOut.Load(), Late: c.late.Load(), Retried: c.retried.Load(), GaveUp: c.gaveUp.Load(),
		Extended: c.extended.Load(), Senses: c.senses.Load(), Starts: c.starts.Load(),
		Offlined: c.offlined.Load(), Recoveries: c.recoveries.Load(), Injected: c.injected.Load(),
	}
	for i := range out.Stages {
		out.Stages[i] = c.stages[i].Load()
	}
	return out
}

// Notes says what error handling did, in a line; nil where it did nothing.
func (c ErrorCounts) Notes() []string {
	if c.TimedOut == 0 && c.Recoveries == 0 && c.Extended == 0 {
		return nil
	}
	return []string{fmt.Sprintf("error handling: %d commands timed out in the whole run, %d more got their time once more; %d were tried again, %d given up; %d times asked for sense data, %d units started, %d aborts, %d device, %d target, %d bus and %d host resets; %d devices went offline",
		c.TimedOut, c.Extended, c.Retried, c.GaveUp, c.Senses, c.Starts, c.Stages[CommandAbort], c.Stages[DeviceReset], c.Stages[TargetReset], c.Stages[BusReset], c.Stages[HostReset], c.Offlined)}
}
