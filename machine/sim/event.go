package sim

import "math/bits"

// event is one entry of the queue: something that happens at a time. It holds
// no pointer, so that moving one costs no look at what the collector does.
type event struct {
	at  int64  // virtual ns, never negative
	key uint64 // sequence number << kindBits | kind: ties go to the older
	id  int32  // of the proc, the timer, the interrupt or the phase
	gen uint32 // the event is void where its owner's generation has moved on
}

const (
	evResume uint64 = iota // proc id continues
	evWake                 // proc id, which sleeps, becomes runnable
	evTimer                // timer id fires
	evIRQ                  // interrupt id arrives at core gen
	evSearch               // core id ends its search for a goroutine
	evPhase                // an edge of the window, or a progress mark
	kindBits = 3
)

// queue is a 4-ary heap of events by time: flatter than a binary one, and of
// values, so that nothing is allocated per event.
//
// The event pushed last is kept aside until the next push or pop, since most
// threads put in when they go on and give way at once: then the pop lets it
// take the root's place, in one pass through the heap instead of two.
type queue struct {
	heap []event
	last event
	held bool // last is in the queue, and not in the heap
	seq  uint64
}

func (q *queue) empty() bool { return len(q.heap) == 0 && !q.held }

func (q *queue) push(e event, kind uint64) {
	if q.held {
		q.insert(q.last)
	}
	q.seq++
	e.key = q.seq<<kindBits | kind
	q.last, q.held = e, true
}

func (q *queue) insert(e event) {
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) >> 2
		if before(&e, &h[up]) == 0 {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

// pop takes the earliest event of a queue that is not empty.
func (q *queue) pop() event {
	h := q.heap
	e := q.last
	if q.held {
		q.held = false
		if len(h) == 0 || before(&e, &h[0]) != 0 {
			return e
		}
	} else {
		n := len(h) - 1
		e = h[n]
		h = h[:n]
		q.heap = h
		if n == 0 {
			return e
		}
	}
	top := h[0]
	i, n := 0, len(h)
	for {
		c := i<<2 + 1
		if c >= n {
			break
		}
		least := c
		if c+3 < n {
			// Without branches, which would be wrong as often as right.
			k := h[c : c+4 : c+4]
			a := before(&k[1], &k[0])
			b := 2 + before(&k[3], &k[2])
			least += int(a + (b-a)*before(&k[b&3], &k[a&3]))
		} else {
			for j := c + 1; j < n; j++ {
				if before(&h[j], &h[least]) != 0 {
					least = j
				}
			}
		}
		if before(&h[least], &e) == 0 {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
	return top
}

// before is 1 where a comes before b, and 0 otherwise.
func before(a, b *event) uint64 {
	_, less := bits.Sub64(a.key, b.key, 0)
	_, less = bits.Sub64(uint64(a.at), uint64(b.at), less)
	return less
}

// next is the time of the earliest event; far in the future where there is none.
func (q *queue) next() int64 {
	at := int64(1<<63 - 1)
	if len(q.heap) > 0 {
		at = q.heap[0].at
	}
	if q.held {
		at = min(at, q.last.at)
	}
	return at
}
