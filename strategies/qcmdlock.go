package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// qcmdLock calls the driver of a strategy that has no host lock. A driver that
// relies on one gets it around its queuecommand alone, as DEF_SCSI_QCMD gave it
// since 2.6.37; any other is called with nothing held.
type qcmdLock struct {
	needed bool
	lock   machine.SpinLock
}

func (q *qcmdLock) init(h *dispatch.Host) {
	if q.needed = h.Template.NeedsHostLock; q.needed {
		q.lock.Init(h.Machine(), "host_lock")
	}
}

func (q *qcmdLock) call(t *machine.Thread, h *dispatch.Host, cmd *dispatch.Command) dispatch.Code {
	if !q.needed {
		return h.QueueCommand(t, cmd)
	}
	lockIRQ(t, &q.lock)
	code := h.QueueCommand(t, cmd)
	unlockIRQ(t, &q.lock)
	return code
}
