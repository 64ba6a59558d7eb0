package dispatch

import "hostlock/machine"

// doneList is one core's list of commands that a driver has completed: a
// stack of indices, of which its softirq takes all at once, so that no
// element can return while it is being looked at.
type doneList struct {
	head machine.Word
	_    [48]byte
}

func (sys *System) initSoftirq() {
	sys.softirq.Init(sys.m, "block", machine.Soft, sys.doneSoftirq)
	sys.done = make([]doneList, sys.m.Cores())
	for i := range sys.done {
		sys.done[i].head.Init(machine.NewLine("blk_cpu_done"), 0)
	}
}

// Done completes a command (scsi_done): a driver calls it once it has set
// Result, from any context. The rest happens in the block softirq of the core
// that submitted the command. A second call is counted, and does nothing else
// (test_and_set of REQ_ATOM_COMPLETE), and so is one that comes after the
// command timed out.
func (cmd *Command) Done(t *machine.Thread) {
	if !cmd.complete(t) {
		return
	}
	if cmd.Twice {
		cmd.again(t)
	}
	if cmd.probe != nil {
		cmd.probe.answer.Complete(t)
		return
	}
	cmd.leave(t)
	cmd.post(t)
}

// leave counts the command out of the driver.
func (cmd *Command) leave(t *machine.Thread) {
	cmd.leaveTasks()
	if cmd.inDriver {
		cmd.inDriver = false
		cmd.Device().leaveDriver(t)
	}
}

// post gives a command to the softirq of the core that submitted it.
func (cmd *Command) post(t *machine.Thread) {
	sys := cmd.Host().sys
	core := cmd.core
	index := uint64(cmd.Index)
	head := &sys.done[core].head
	old := head.Load(t)
	cmd.nextDone = uint32(old)
	for !head.CAS(t, old, index) {
		old = head.Load(t)
		cmd.nextDone = uint32(old)
	}
	if old == 0 {
		// Whoever pushed onto a list that was not empty relies on the one who
		// found it so.
		sys.softirq.Raise(t, core)
	}
}

// doneSoftirq takes what has gathered in its core's list, oldest first
// (blk_done_softirq).
func (sys *System) doneSoftirq(t *machine.Thread) {
	t.Enter(secSoftirq)
	index := uint32(sys.done[t.Core()].head.Swap(t, 0))
	var first uint32
	for index != 0 {
		cmd := &sys.table.at(index).Cmd
		index, cmd.nextDone, first = cmd.nextDone, first, index
	}
	for first != 0 {
		cmd := &sys.table.at(first).Cmd
		first = cmd.nextDone
		sys.softirqDone(t, cmd)
	}
	t.Leave()
}

// softirqDone decides what becomes of a completed command (scsi_softirq_done)
// [S35].
func (sys *System) softirqDone(t *machine.Thread, cmd *Command) {
	t.Enter(secSoftirqDone)
	h := cmd.Host()
	if cmd.charged&chargedCall != 0 {
		h.require(cmd, chargedReady|chargedDispatch, "its completion")
	}
	t.Touch(&cmd.Line)
	if h.eh != nil {
		cmd.timeout.Disarm(t)
	}
	cmd.Serial = 0
	h.costs.softirqDone.Spend(t)
	what := success
	if !cmd.Request.abandoned {
		h.adjustDepth(t, cmd)
		what = h.dispose(cmd)
	}
	if what != success && t.Now()-cmd.began > sys.timeout {
		what = success
	}
	switch what {
	case needsRetry:
		h.queueInsert(t, cmd, EHRetry)
	case addToMLQueue:
		h.queueInsert(t, cmd, DeviceBusy)
	case failed:
		if h.eh == nil || !h.eh.add(t, cmd) {
			h.finish(t, cmd)
		}
	default:
		h.finish(t, cmd)
	}
	t.Leave()
}
