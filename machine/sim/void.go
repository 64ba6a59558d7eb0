package sim

// voidEnough is from how many void entries on the queue is gone through.
const voidEnough = 1024

// voided counts an entry of a timer that will not fire any more. It stays in the
// queue until its time, which for a request's timeout is long after the request
// has ended: thirty seconds of requests, if nothing were done. Once they are most
// of the queue they are taken out, at the price of a look at each entry for each
// that goes.
func (s *Sim) voided() {
	s.void++
	if s.void < voidEnough || s.void <= len(s.q.heap)/2 {
		return
	}
	s.q.keep(func(e *event) bool {
		if e.key&(1<<kindBits-1) != evTimer {
			return true
		}
		t := &s.timers[e.id]
		return t.armed && t.gen == e.gen
	})
	s.void = 0
}

// keep takes everything else out of the queue. The order of what is kept does
// not change, since no two entries are equal.
func (q *queue) keep(wanted func(*event) bool) {
	if q.held {
		q.held = false
		q.insert(q.last)
	}
	old := q.heap
	q.heap = q.heap[:0]
	for i := range old {
		if wanted(&old[i]) {
			q.insert(old[i])
		}
	}
}
