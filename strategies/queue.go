package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// Queue is a device's request queue under a lock of its own (struct
// request_queue): the queue_lock, and what it protects. The blocked counter is
// stored without it, as in the kernel, and so is a word. All methods but Enter
// and Done are called with the lock held.
type Queue struct {
	_       [64]byte
	lock    machine.SpinLock
	_       [64]byte
	dev     *dispatch.Device
	fields  machine.Fields // the list and its flags, which every holder of the lock uses
	counted machine.Fields // device_busy, where it lies elsewhere
	own     machine.Fields // device_busy, wherever it lies
	head    *dispatch.Request
	tail    *dispatch.Request
	busy    int // device_busy
	plugged bool
	stopped bool
	blocked machine.Word // device_blocked
	_       [64]byte
}

// Enter takes the lock; Leave gives it back.
func (q *Queue) Enter(t *machine.Thread) {
	LockIRQ(t, &q.lock)
	t.TouchAll(&q.fields)
}

func (q *Queue) Leave(t *machine.Thread) { UnlockIRQ(t, &q.lock) }

// Head is the request that is to be run next: nil in an empty queue, and in one
// that is plugged or stopped.
func (q *Queue) Head() *dispatch.Request {
	if q.plugged || q.stopped {
		return nil
	}
	return q.head
}

// Busy is how many commands of the device are outstanding (device_busy).
func (q *Queue) Busy() int { return q.busy }

func (q *Queue) pushFront(rq *dispatch.Request) {
	rq.Next = q.head
	q.head = rq
	if q.tail == nil {
		q.tail = rq
	}
}

// insert puts a new request where it belongs, and takes the plug off.
func (q *Queue) insert(t *machine.Thread, rq *dispatch.Request) {
	switch {
	case rq.Preempt || q.tail == nil:
		q.pushFront(rq)
	default:
		q.tail.Next, rq.Next = rq, nil
		q.tail = rq
	}
	q.unplug(t)
}

// Start takes the head out of the queue and counts it (blk_start_request,
// device_busy).
func (q *Queue) Start() {
	rq := q.head
	q.head = rq.Next
	if q.head == nil {
		q.tail = nil
	}
	rq.Next = nil
	q.busy++
}

// Restart puts a started request back to the head.
func (q *Queue) Restart(rq *dispatch.Request) {
	q.busy--
	q.pushFront(rq)
}

// Done counts an outstanding command down.
func (q *Queue) Done(t *machine.Thread) {
	q.Enter(t)
	t.TouchAll(&q.counted)
	q.busy--
	q.Leave(t)
}

func (q *Queue) unplug(t *machine.Thread) {
	if q.plugged {
		q.plugged = false
		q.dev.Unplug(t)
	}
}

// PlugIfAlone plugs where no command of the device is outstanding, whose
// completion would run the queue: it is run after 3 ms then. It does nothing to a
// stopped queue (blk_plug_device).
func (q *Queue) PlugIfAlone(t *machine.Thread) {
	// Who calls it may have counted down just before (Restart).
	t.TouchAll(&q.counted)
	if q.busy == 0 && !q.plugged && !q.stopped {
		q.plugged = true
		q.dev.Plug(t)
	}
}

// runnable takes the plug off and reports whether there is anything to run
// (__blk_run_queue).
func (q *Queue) runnable(t *machine.Thread) bool {
	q.unplug(t)
	return !q.stopped && q.head != nil
}

// Ready is scsi_dev_queue_ready: whether the device admits one more. It plugs the
// queue where only its blocked counter does not.
func (q *Queue) Ready(t *machine.Thread) bool {
	if !unblocked(t, &q.blocked, q.busy) {
		q.PlugIfAlone(t)
		return false
	}
	t.TouchAll(&q.counted) // Start comes next, and counts up
	return q.busy < q.dev.Depth()
}

// Queues has a [Queue] for every device of a host, and the verbs that this
// settles: Insert, Enter, Back, Exit, Requeue and SetDeviceState. To be embedded
// beside [Base] or [Counted].
type Queues struct{ queues []Queue }

// Init makes the queues, after Base's Init.
func (s *Queues) Init(b *Base) {
	h := b.Host
	s.queues = make([]Queue, len(h.Devices))
	for i, dev := range h.Devices {
		q := &s.queues[i]
		q.dev = dev
		dev.Object().InitLock(&q.lock, h.Machine(), "queue_lock", "request_queue.queue_lock")
		line := dev.Own("request_queue")
		q.fields = line.Fields("request_queue.queue_head", "request_queue.queue_flags")
		q.own = line.Fields("scsi_device.device_busy")
		q.counted = q.own.Beyond(q.fields)
		b.DeviceBlockedIn(i, &q.blocked, dev.Own("scsi_device").Line(deviceBlocked))
	}
}

// Queue is a device's.
func (s *Queues) Queue(dev *dispatch.Device) *Queue { return &s.queues[dev.Index] }

func (s *Queues) Insert(t *machine.Thread, rq *dispatch.Request) {
	q := s.Queue(rq.Device)
	q.Enter(t)
	q.insert(t, rq)
}

func (s *Queues) Enter(t *machine.Thread, dev *dispatch.Device) bool {
	q := s.Queue(dev)
	q.Enter(t)
	if q.runnable(t) {
		return true
	}
	q.Leave(t)
	return false
}

func (s *Queues) Back(t *machine.Thread, dev *dispatch.Device, refused bool) {
	q := s.Queue(dev)
	q.Enter(t)
	if refused {
		q.PlugIfAlone(t)
	}
}

func (s *Queues) Exit(t *machine.Thread, dev *dispatch.Device) { s.Queue(dev).Leave(t) }

func (s *Queues) Requeue(t *machine.Thread, cmd *dispatch.Command) {
	q := s.Queue(cmd.Device())
	q.Enter(t)
	q.pushFront(cmd.Request)
	q.Leave(t)
}

func (s *Queues) SetDeviceState(t *machine.Thread, dev *dispatch.Device, state dispatch.DeviceState) {
	q := s.Queue(dev)
	q.Enter(t)
	dev.StoreState(t, state)
	q.stopped = state.Blocked()
	q.Leave(t)
}
