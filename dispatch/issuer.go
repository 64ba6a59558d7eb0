package dispatch

import (
	"sync"
	"sync/atomic"

	"github.com/HdrHistogram/hdrhistogram-go"

	"hostlock/machine"
)

// Issuer is a submitting thread's own side of the path: its pool of requests
// and its counters. Only its thread uses it; threads share nothing here, and
// steady state allocates nothing.
type Issuer struct {
	sys  *System
	pool []*Request // a circular queue: the longest unused comes first
	head int
	used int
	hist *hdrhistogram.Histogram // nil where all have one: see latencies

	room machine.Completion // while a queue has none for it: see waiting

	kernel bool // a kernel thread's, and none of the workload's

	_      [64]byte
	total  counters // whole run
	inside counters // completed within the window
	bytes  atomic.Int64
	_      [64]byte
}

// counters are written by whoever completes a command, on whichever core.
type counters struct {
	issued, completed, failed, requeued atomic.Int64
}

type issuers struct {
	mu  sync.Mutex
	all []*Issuer
}

// Histogram range: latencies from 1 ns to 1000 s, to three digits where one
// histogram serves the whole system, to two where every issuer has its own.
const (
	histMax          = 1_000_000_000_000
	histDigits       = 3
	histDigitsIssuer = 2
)

// NewIssuer makes the issuer of a thread of the workload.
func (sys *System) NewIssuer(t *machine.Thread) *Issuer { return sys.newIssuer(t, false) }

// NewKernelIssuer makes the issuer of a kernel thread that issues on behalf of
// others, such as a flusher: its commands count, but it takes no part in how
// evenly the workload's threads get on.
func (sys *System) NewKernelIssuer(t *machine.Thread) *Issuer { return sys.newIssuer(t, true) }

func (sys *System) newIssuer(t *machine.Thread, kernel bool) *Issuer {
	iss := &Issuer{sys: sys, kernel: kernel}
	iss.room.Init()
	sys.issuers.mu.Lock()
	sys.issuers.all = append(sys.issuers.all, iss)
	if !t.Hooked() {
		iss.hist = hdrhistogram.New(1, histMax, histDigitsIssuer)
	}
	sys.issuers.mu.Unlock()
	return iss
}

// Request takes a request from the issuer's pool. segments is how many
// scatter/gather entries its memory has, at least 1 unless it is a flush; data
// may be nil where contents do not matter.
func (iss *Issuer) Request(dev *Device, op Op, sector int64, sectors, segments int, data []byte) *Request {
	rq := iss.take()
	rq.Op, rq.Device, rq.Sector, rq.Sectors, rq.Segments, rq.Data = op, dev, sector, sectors, segments, data
	rq.Preempt, rq.Collected, rq.End = false, false, nil
	return rq
}

// take finds a request that the path has quite left. The last of a command's
// way, running the queue, comes after its issuer was woken, so the one that
// was used longest ago is the best guess. Where the path is still at that one,
// as it is for as long as others feed the queue that it runs, it goes behind the
// others: waiting in front it would have every take make new ones.
func (iss *Issuer) take() *Request {
	for range iss.used {
		rq := iss.first()
		if rq.life.Load() == idle {
			return rq
		}
		iss.give(rq)
	}
	iss.more()
	return iss.first()
}

// first takes the first request out of the pool.
func (iss *Issuer) first() *Request {
	rq := iss.pool[iss.head]
	iss.head = (iss.head + 1) & (len(iss.pool) - 1)
	iss.used--
	return rq
}

// more puts new requests at the front of the pool.
func (iss *Issuer) more() {
	chunk := iss.sys.table.grow(iss.sys, iss)
	if iss.used+chunkSize > len(iss.pool) {
		bigger := make([]*Request, max(2*len(iss.pool), 2*chunkSize))
		for i := range iss.used {
			bigger[i] = iss.pool[(iss.head+i)&(len(iss.pool)-1)]
		}
		iss.pool, iss.head = bigger, 0
	}
	for i := range chunk {
		iss.head = (iss.head - 1) & (len(iss.pool) - 1)
		iss.pool[iss.head] = &chunk[i]
		iss.used++
	}
}

// give puts a request back, behind all others.
func (iss *Issuer) give(rq *Request) {
	if iss.used == len(iss.pool) {
		bigger := make([]*Request, max(2*len(iss.pool), 2*chunkSize))
		for i := range iss.used {
			bigger[i] = iss.pool[(iss.head+i)&(len(iss.pool)-1)]
		}
		iss.pool, iss.head = bigger, 0
	}
	iss.pool[(iss.head+iss.used)&(len(iss.pool)-1)] = rq
	iss.used++
}

// Wait gives the core up until rq is finished, returns its error, and takes
// the request back into the pool: it must not be used any more.
func (iss *Issuer) Wait(t *machine.Thread, rq *Request) error {
	rq.done.Wait(t)
	return iss.Collect(rq)
}

// Collect is Wait for a request whose End has been called and for which nobody
// waits (see [Request.Collected]). Who calls End may still be at the request: its
// pool hands it out again once the path has left it.
func (iss *Issuer) Collect(rq *Request) error {
	err := rq.err
	if rq.counted {
		// A latency of 0 cannot be recorded as such; it counts as 1 ns.
		_ = iss.latencies().RecordValue(max(int64(rq.completed-rq.submitted), 1))
	}
	if rq.abandoned {
		return err // the driver may look at it yet
	}
	rq.Data = nil
	iss.give(rq)
	return err
}

// latencies is where the issuer's latencies belong. Where one thread runs at a
// time one histogram will do, and it is made when it is first needed: a run of a
// few commands, of which exploring does a hundred thousand, needs none.
func (iss *Issuer) latencies() *hdrhistogram.Histogram {
	if iss.hist != nil {
		return iss.hist
	}
	if iss.sys.shared == nil {
		iss.sys.shared = hdrhistogram.New(1, histMax, histDigits)
	}
	return iss.sys.shared
}

// Done reports whether Wait would return at once.
func (iss *Issuer) Done(rq *Request) bool { return rq.done.Done() > 0 }

// Do submits one request and waits for it.
func (iss *Issuer) Do(t *machine.Thread, dev *Device, op Op, sector int64, sectors, segments int, data []byte) error {
	rq := iss.Request(dev, op, sector, sectors, segments, data)
	iss.Submit(t, rq)
	return iss.Wait(t, rq)
}

// count books the end of a request.
func (iss *Issuer) count(rq *Request) {
	add := func(c *counters) {
		if rq.err != nil {
			c.failed.Add(1)
		} else {
			c.completed.Add(1)
		}
	}
	add(&iss.total)
	if rq.counted {
		add(&iss.inside)
		if rq.err == nil {
			iss.bytes.Add(int64(rq.Bytes()))
		}
	}
}
