package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// queue is a device's request queue under a lock of its own (struct
// request_queue): the queue_lock, and what it protects. The blocked counter is
// stored without it, as in the kernel, and so is a word.
type queue struct {
	_       [64]byte
	lock    machine.SpinLock
	_       [64]byte
	dev     *dispatch.Device
	line    *machine.Line
	head    *dispatch.Request
	tail    *dispatch.Request
	busy    int // device_busy
	plugged bool
	stopped bool
	blocked machine.Word // device_blocked
	_       [64]byte
}

func (q *queue) init(h *dispatch.Host, dev *dispatch.Device) {
	q.dev = dev
	q.lock.Init(h.Machine(), "queue_lock")
	q.line = machine.NewLine("request_queue")
	q.blocked.Init(machine.NewLine("scsi_device"), 0)
}

// enter takes the lock; leave gives it back.
func (q *queue) enter(t *machine.Thread) {
	lockIRQ(t, &q.lock)
	t.Touch(q.line)
}

func (q *queue) leave(t *machine.Thread) { unlockIRQ(t, &q.lock) }

// The rest is called with the lock held.

func (q *queue) pushBack(rq *dispatch.Request) {
	rq.Next = nil
	if q.tail == nil {
		q.head = rq
	} else {
		q.tail.Next = rq
	}
	q.tail = rq
}

func (q *queue) pushFront(rq *dispatch.Request) {
	rq.Next = q.head
	q.head = rq
	if q.tail == nil {
		q.tail = rq
	}
}

// insert puts a new request where it belongs, and takes the plug off.
func (q *queue) insert(t *machine.Thread, rq *dispatch.Request) {
	if rq.Preempt {
		q.pushFront(rq)
	} else {
		q.pushBack(rq)
	}
	q.unplug(t)
}

// start takes the head out of the queue and counts it (blk_start_request,
// device_busy).
func (q *queue) start() {
	rq := q.head
	q.head = rq.Next
	if q.head == nil {
		q.tail = nil
	}
	rq.Next = nil
	q.busy++
}

// restart puts a started request back to the head.
func (q *queue) restart(rq *dispatch.Request) {
	q.busy--
	q.pushFront(rq)
}

// plug has the queue run after 3 ms; it does nothing to a stopped one
// (blk_plug_device).
func (q *queue) plug(t *machine.Thread) {
	if !q.plugged && !q.stopped {
		q.plugged = true
		q.dev.Plug(t)
	}
}

func (q *queue) unplug(t *machine.Thread) {
	if q.plugged {
		q.plugged = false
		q.dev.Unplug(t)
	}
}

// plugIfAlone plugs where no command of the device is outstanding, whose
// completion would run the queue.
func (q *queue) plugIfAlone(t *machine.Thread) {
	if q.busy == 0 {
		q.plug(t)
	}
}

// runnable takes the plug off and reports whether there is anything to run
// (__blk_run_queue).
func (q *queue) runnable(t *machine.Thread) bool {
	q.unplug(t)
	return !q.stopped && q.head != nil
}

// ready is scsi_dev_queue_ready.
func (q *queue) ready(t *machine.Thread) bool {
	blocked := q.blocked.Load(t)
	if blocked != 0 && q.busy == 0 {
		if blocked = countdown(t, &q.blocked); blocked != 0 {
			q.plug(t)
			return false
		}
	}
	return q.busy < q.dev.Depth() && blocked == 0
}
