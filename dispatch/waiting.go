package dispatch

import (
	"slices"
	"sync"
	"sync/atomic"

	"hostlock/machine"
)

// waiting is the submitters that a device's queue has no room for, the longest first.
// They sleep, as in the kernel a thread does in get_request_wait until a request of
// the queue is free. While there are none, whoever finishes a request reads one word
// that nobody writes.
type waiting struct {
	n   atomic.Int32
	mu  sync.Mutex
	all []*Issuer
}

// Hold has the submitter of rq sleep until room, asked whenever a request of the
// device has been finished, reports that it has put rq into the queue. It is for
// strategies whose queues are bounded, in Insert; and not for the error handler's
// requests and those marked Preempt, which must not wait for others.
func (d *Device) Hold(t *machine.Thread, rq *Request, room func() bool) {
	iss := rq.issuer
	for !room() {
		d.waiting.add(iss)
		// What was in the queue may have been finished before that: nobody would
		// come. What is in it now will be, later.
		if room() {
			if !d.waiting.remove(iss) { // somebody wakes it, and meant another
				iss.room.Wait(t)
				d.waiting.wake(t)
			}
			return
		}
		iss.room.Wait(t)
	}
}

func (h *waiting) add(iss *Issuer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, iss)
	h.n.Add(1)
}

func (h *waiting) remove(iss *Issuer) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.Index(h.all, iss)
	if i < 0 {
		return false
	}
	h.all = slices.Delete(h.all, i, i+1)
	h.n.Add(-1)
	return true
}

// wake lets the one go that has waited longest.
func (h *waiting) wake(t *machine.Thread) {
	if h.n.Load() == 0 {
		return
	}
	h.mu.Lock()
	var iss *Issuer
	if len(h.all) > 0 {
		iss = h.all[0]
		h.all = slices.Delete(h.all, 0, 1)
		h.n.Add(-1)
	}
	h.mu.Unlock()
	if iss != nil {
		iss.room.Complete(t)
	}
}
