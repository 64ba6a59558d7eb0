package dispatch

import "hostlock/machine"

// finish ends a command: its slots, the blocking of what it went through, its
// request, itself, and then whoever waits for what it had
// (scsi_finish_command, scsi_io_completion, scsi_next_command) [S35].
func (h *Host) finish(t *machine.Thread, cmd *Command) {
	t.Enter(secFinish)
	rq, d := cmd.Request, cmd.Device()
	h.DeviceUnbusy(t, cmd)
	h.strategy.Unblock(t, cmd)

	t.Enter(secIOCompletion)
	h.costs.ioCompletion.Spend(t)
	h.sys.sg.free(t, cmd)
	rq.finish(t, cmd.err())
	h.strategy.End(t, cmd)
	h.RunQueue(t, d, &cmd.run)
	t.Leave()

	t.Leave()
	rq.release()
}

// err is what the issuer is told. The result of an abandoned command is the
// driver's yet, and not looked at.
func (cmd *Command) err() error {
	if cmd.Request.abandoned {
		return Result{Host: DidTimeOut}.Err()
	}
	return cmd.Result.Err()
}
