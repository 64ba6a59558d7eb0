package block

import "hostlock/machine"

// Ring is where the operations of a thread come back that it does not wait for
// one by one: the ring of an aio context, or a completion queue of io_uring. An
// operation has a tag, and consists of one or more bios; it is ready when the
// last of them has ended. Whoever ends a bio takes the ring's lock, as
// aio_complete takes ctx_lock, and wakes the thread once as many are ready as it
// waits for. Only one thread submits and reaps.
type Ring struct {
	lock  machine.SpinLock
	line  *machine.Line // of what follows
	ops   []ringOp      // by tag
	ready []int         // tags, in the order in which they became ready
	ended []*request    // to go back to the plug
	want  int           // how many the thread waits for; 0: it does not
	wake  machine.Completion

	plug  *Plug
	spare []*request // the other half of ended
}

type ringOp struct {
	left int // bios
	err  error
}

// NewRing makes the ring of a plug whose requests are never waited for; the tags
// are 0 to depth-1. class is the name of its lock's class.
func NewRing(m machine.Machine, p *Plug, class string, depth int) *Ring {
	r := &Ring{plug: p, line: machine.NewLine("completion_ring"), ops: make([]ringOp, depth)}
	r.lock.Init(m, class)
	r.wake.Init()
	p.ring = r
	return r
}

// Begin says that an operation of so many bios is about to be flushed.
func (r *Ring) Begin(tag, bios int) { r.ops[tag] = ringOp{left: bios} }

func (r *Ring) enter(t *machine.Thread) bool {
	off := t.IRQSave()
	r.lock.Lock(t)
	t.Touch(r.line)
	return off
}

func (r *Ring) leave(t *machine.Thread, off bool) {
	r.lock.Unlock(t)
	t.IRQRestore(off)
}

// end is the end of a request, called by whoever finishes it.
func (r *Ring) end(t *machine.Thread, rq *request, err error) {
	off := r.enter(t)
	for _, b := range rq.bios {
		op := &r.ops[b.Tag]
		if err != nil && op.err == nil {
			op.err = err
		}
		if op.left--; op.left == 0 {
			r.ready = append(r.ready, b.Tag)
		}
	}
	r.ended = append(r.ended, rq)
	wake := r.want > 0 && len(r.ready) >= r.want
	if wake {
		r.want = 0
	}
	r.leave(t, off)
	if wake {
		r.wake.Complete(t)
	}
}

// Reap waits until at least low operations are ready, takes up to high of them,
// and calls done for each. Low is never more than are on their way; 0 takes what
// is there.
func (r *Ring) Reap(t *machine.Thread, low, high int, done func(tag int, err error)) int {
	off := r.enter(t)
	for len(r.ready) < low {
		r.want = low
		r.leave(t, off)
		r.wake.Wait(t)
		off = r.enter(t)
	}
	n := min(len(r.ready), high)
	tags := r.ready[:n:n]
	// Errors are read inside: an operation whose tag is used again has a new one.
	for _, tag := range tags {
		done(tag, r.ops[tag].err)
	}
	r.ready = append(r.ready[:0], r.ready[n:]...)
	ended := r.ended
	r.ended = r.spare[:0]
	r.leave(t, off)
	for i, rq := range ended {
		_ = r.plug.iss.Collect(rq.rq) // its error is its operations'
		r.plug.give(rq)
		ended[i] = nil
	}
	r.spare = ended
	return n
}
