package dispatch

import "hostlock/machine"

// queueInsert puts a command back to the head of its queue and blocks what the
// code says (scsi_queue_insert) [S35]: the blocked counter first, then the
// slots, then the queue. The queue is run by kblockd, as since 2.6.39 [S30]:
// 2.6.35 ran it here and then, and so could nest a queue's run in another's
// without end.
func (h *Host) queueInsert(t *machine.Thread, cmd *Command, code Code) {
	t.Enter(secQueueInsert)
	d := cmd.Device()
	h.strategy.Block(t, d, code)
	h.DeviceUnbusy(t, cmd)
	cmd.Request.issuer.requeued()
	cmd.charged = 0
	cmd.quit(t)
	h.strategy.Requeue(t, cmd)
	d.Kick(t)
	t.Leave()
}

func (iss *Issuer) requeued() {
	iss.total.requeued.Add(1)
	if iss.sys.window.Load() == windowOpen {
		iss.inside.requeued.Add(1)
	}
}
