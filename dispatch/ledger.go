package dispatch

import (
	"github.com/HdrHistogram/hdrhistogram-go"
)

// States of the measured window.
const (
	windowBefore int32 = iota
	windowOpen
	windowAfter
)

// BeginWindow and EndWindow bound what Window reports: what completes between
// them. They are what [machine.Course] calls at the edges.
func (sys *System) BeginWindow() { sys.window.Store(windowOpen) }
func (sys *System) EndWindow()   { sys.window.Store(windowAfter) }

// Counts are numbers of commands. Issued is the sum of Completed, Failed and
// Lost; Requeued counts ways back into a queue, of which a command may have
// several.
type Counts struct {
	Issued, Completed, Failed, Requeued, Lost int64
	// Duplicates is how often a command was completed that was completed
	// already.
	Duplicates int64
}

// Ledger is the whole run's book, to be read once the machine has stopped:
// what was issued and neither completed nor failed by then is lost.
func (sys *System) Ledger() Counts {
	var c Counts
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

// WindowCounts is what happened within the window. Issued counts submissions;
// Lost is always 0, since what is not done at the window's end is done later.
type WindowCounts struct {
	Counts
	Bytes int64 // moved by what completed without error
	// PerIssuer has the completed commands of every issuer that is a thread of
	// the workload, in order of their creation: for fairness. Kernel threads'
	// are not among them, so it may sum up to less than Completed.
	PerIssuer []int64
	// Latency has the time from Submit to completion, in ns, of what completed
	// or failed within the window.
	Latency *hdrhistogram.Histogram
}

// Window reports the measured window, once the machine has stopped.
func (sys *System) Window() WindowCounts {
	w := WindowCounts{Latency: hdrhistogram.New(1, histMax, histDigits)}
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
