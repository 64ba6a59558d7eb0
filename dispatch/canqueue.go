package dispatch

import (
	"sync"
	"sync/atomic"
)

// canQueue is a host's limit as it is now, and as it was: a driver may lower
// it while commands are outstanding, and raise it again. It is a plain field of
// the kernel's, which strategies read where they read the host's other fields,
// and so costs nothing of its own.
type canQueue struct {
	now     atomic.Int64
	changes atomic.Int64
	mu      sync.Mutex
	after   []int // the limit after each change
}

// CanQueue is how many commands may be active on the host now: the template's
// can_queue, or less where the driver has lowered it; 0 or less is unlimited.
func (h *Host) CanQueue() int { return int(h.limit.now.Load()) }

// Throttled reports whether the driver has lowered can_queue. Where errors are
// not handled it never has.
func (h *Host) Throttled() bool { return h.limit.now.Load() < int64(h.Template.CanQueue) }

// SetCanQueue changes can_queue, between 1 and the template's; a host without
// a limit keeps none, and one that handles no errors the one it has. Drivers call it while they judge a timeout
// ([timeoutDriver]), and later to take that back.
//
// The new limit binds every command whose admission begins after the call. What
// is outstanding by then, or is just being admitted, goes on: none is called
// back, and no other starts until fewer are outstanding than the new limit.
//
// A driver that raises the limit must complete a command after that, which
// restarts whoever was refused.
func (h *Host) SetCanQueue(n int) {
	if h.eh == nil || h.Template.CanQueue <= 0 {
		return
	}
	n = min(max(n, 1), h.Template.CanQueue)
	l := &h.limit
	l.mu.Lock()
	defer l.mu.Unlock()
	l.after = append(l.after, n)
	l.now.Store(int64(n))
	l.changes.Store(int64(len(l.after)))
}

// most is the highest limit since a number of changes. A command may reach the
// driver as one of that many, if its admission began then.
func (l *canQueue) most(since int, template int) int {
	if l.changes.Load() == 0 {
		return template
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n := template
	if since > 0 {
		n = l.after[since-1]
	}
	for _, later := range l.after[since:] {
		n = max(n, later)
	}
	return n
}
