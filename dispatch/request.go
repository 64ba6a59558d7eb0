package dispatch

import (
	"sync/atomic"
	"time"

	"hostlock/machine"
)

// Op is what a request asks for.
type Op uint8

const (
	Read Op = iota
	Write
	Flush         // the device's write cache; no sectors, no data
	TestUnitReady // the error handler's question; no sectors, no data
	RequestSense  // the same: why a command failed
	StartUnit     // the same: what a device needs that is not ready
)

func (o Op) String() string {
	return [...]string{"read", "write", "flush", "test unit ready", "request sense", "start unit"}[o]
}

// OfHandler reports whether an operation is one of the error handler's own.
func (o Op) OfHandler() bool { return o >= TestUnitReady }

// SectorSize is the unit of positions and capacities, in bytes.
const SectorSize = 512

// Request is one request of the block layer (struct request), with the command
// that it becomes. An [Issuer] owns it; between Submit and the end of Wait it is
// the path's.
type Request struct {
	Op       Op
	Preempt  bool // passes a quiesced or blocked device (REQ_PREEMPT)
	Device   *Device
	Sector   int64
	Sectors  int
	Segments int
	Data     []byte // of Sectors*512 bytes, or nil where contents do not matter
	Cmd      Command
	// End, where not nil, is called once when the request is finished, by
	// whoever finishes it, before its issuer is told; it must not wait.
	End func(t *machine.Thread, err error)

	// Collected says that nobody waits for the request: End tells its issuer, who
	// takes it back with [Issuer.Collect].
	Collected bool

	// Next links the request in its queue; for strategies.
	Next *Request

	issuer    *Issuer
	life      atomic.Uint32
	submitted time.Duration
	completed time.Duration
	counted   bool // completed within the window
	abandoned bool // the driver may still have the command: never to be used again
	err       error
	done      machine.Completion
}

// States of a request. Swaps between them are what finds a command that is
// completed twice; they are the lab's instruments and cost nothing in virtual
// time.
const (
	idle     uint32 = iota // its issuer's
	issued                 // submitted, not yet finished
	finished               // its issuer has been told; the path is still at it
)

// Bytes is how much the request moves.
func (rq *Request) Bytes() int { return rq.Sectors * SectorSize }

// Issuer is who submitted the request.
func (rq *Request) Issuer() *Issuer { return rq.issuer }

// finish tells the issuer; the path calls it once.
func (rq *Request) finish(t *machine.Thread, err error) {
	if rq.life.Swap(finished) != issued {
		rq.issuer.sys.duplicates.Add(1)
		return
	}
	d := rq.Device // the issuer may use rq again once it is told
	rq.err = err
	rq.completed = t.Now()
	rq.counted = rq.issuer.sys.window.Load() == windowOpen
	rq.issuer.count(rq)
	if rq.Collected {
		rq.End(t, err) // from here on its issuer may look at it
		return
	}
	if rq.End != nil {
		rq.End(t, err)
	}
	rq.done.Complete(t)
	d.waiting.wake(t)
}

// release ends the path's use of the request: its issuer may reuse it.
func (rq *Request) release() { rq.life.Store(idle) }
