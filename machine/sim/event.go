package sim

// event is one entry of the queue: something that happens at a time.
type event struct {
	at  int64  // virtual ns
	key uint64 // sequence number << kindBits | kind: ties go to the older
	p   *proc
	id  int32
	gen uint32 // the event is void where its owner's generation has moved on
}

const (
	evResume uint64 = iota // p continues
	evWake                 // p, which sleeps, becomes runnable
	evTimer                // timer id fires
	evIRQ                  // interrupt id arrives at core gen
	evPhase                // an edge of the window, or a progress mark
	kindBits = 3
)

// queue is a 4-ary heap of events by time: flatter than a binary one, and of
// values, so that nothing is allocated per event.
type queue struct {
	heap []event
	seq  uint64
}

func (q *queue) push(e event, kind uint64) {
	q.seq++
	e.key = q.seq<<kindBits | kind
	q.insert(e)
}

func (q *queue) insert(e event) {
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) >> 2
		if !before(&e, &h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

func (q *queue) pop() event {
	h := q.heap
	top := h[0]
	n := len(h) - 1
	e := h[n]
	h[n] = event{}
	h = h[:n]
	q.heap = h
	if n == 0 {
		return top
	}
	i := 0
	for {
		c := i<<2 + 1
		if c >= n {
			break
		}
		least := c
		end := min(c+4, n)
		for j := c + 1; j < end; j++ {
			if before(&h[j], &h[least]) {
				least = j
			}
		}
		if !before(&h[least], &e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
	return top
}

func before(a, b *event) bool {
	return a.at < b.at || a.at == b.at && a.key < b.key
}

// next is the time of the earliest event; far in the future where there is none.
func (q *queue) next() int64 {
	if len(q.heap) == 0 {
		return 1<<63 - 1
	}
	return q.heap[0].at
}
