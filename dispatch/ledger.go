package dispatch

import (
	"github.com/HdrHistogram/hdrhistogram-go"

	"hostlock/dispatch/tally"
)

// States of the measured window.
const (
	windowBefore int32 = iota
	windowOpen
	windowAfter
)

// BeginWindow and EndWindow bound what Window reports: what completes between
// them. They are what [machine.Course] calls at the edges.
func (sys *System) BeginWindow() {
	sys.openOccupancy()
	sys.window.Store(windowOpen)
}

func (sys *System) EndWindow() {
	sys.window.Store(windowAfter)
	sys.closeOccupancy()
}

// Ledger is the whole run's book, to be read once the machine has stopped:
// what was issued and neither completed nor failed by then is lost.
func (sys *System) Ledger() tally.Counts {
	var c tally.Counts
	for _, iss := range sys.issuers.list() {
		c.Issued += iss.total.issued.Load()
		c.Completed += iss.total.completed.Load()
		c.Failed += iss.total.failed.Load()
		c.Requeued += iss.total.requeued.Load()
	}
	c.Lost = c.Issued - c.Completed - c.Failed
	c.Duplicates = sys.duplicates.Load()
	return c
}

// Window reports the measured window, once the machine has stopped.
func (sys *System) Window() tally.WindowCounts {
	w := tally.WindowCounts{Latency: hdrhistogram.New(1, histMax, histDigits)}
	if sys.shared != nil {
		w.Latency.Merge(sys.shared)
	}
	for _, iss := range sys.issuers.list() {
		n := iss.inside.completed.Load()
		w.Issued += iss.inside.issued.Load()
		w.Completed += n
		w.Failed += iss.inside.failed.Load()
		w.Requeued += iss.inside.requeued.Load()
		w.Bytes += iss.bytes.Load()
		if !iss.kernel {
			w.PerIssuer = append(w.PerIssuer, n)
		}
		if iss.hist != nil {
			w.Latency.Merge(iss.hist)
		}
	}
	return w
}

func (is *issuers) list() []*Issuer {
	is.mu.Lock()
	defer is.mu.Unlock()
	return append([]*Issuer(nil), is.all...)
}
