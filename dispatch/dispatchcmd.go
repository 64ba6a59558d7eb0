package dispatch

import "hostlock/machine"

// DispatchCmd hands a command to the driver, or puts it back to the head of
// its queue where the driver does not take it (scsi_dispatch_cmd) [S35]. It
// answers with Accepted, or with the code that it put the command back with:
// any that it does not know counts as HostBusy. A command that it put back
// because its device is blocked counts as accepted, since that queue is
// stopped already.
//
// Once the driver has accepted a command it may be completed, and used again,
// at any time: nothing here touches it after that.
//
//go:noinline
func (h *Host) DispatchCmd(t *machine.Thread, cmd *Command) Code {
	t.Enter(secDispatchCmd)
	code := h.dispatch(t, cmd)
	t.Leave()
	return code
}

func (h *Host) dispatch(t *machine.Thread, cmd *Command) Code {
	h.require(cmd, chargedReady, "scsi_dispatch_cmd")
	switch state := cmd.Device().State(t); {
	case state == DeviceRunning:
	case state == DeviceDel:
		h.NoConnect(t, cmd)
		return Accepted
	case state.Blocked():
		h.queueInsert(t, cmd, DeviceBusy)
		return Accepted
	}
	var code Code
	if h.eh != nil {
		code = h.eh.call(t, cmd)
	} else {
		code = h.strategy.Call(t, cmd)
	}
	if code == Accepted {
		return code
	}
	if code != DeviceBusy && code != TargetBusy {
		code = HostBusy
	}
	h.queueInsert(t, cmd, code)
	return code
}

// QueueCommand calls the driver. Strategies do so in Call, once, with whatever
// they hold while they do; nothing may touch the command after it was accepted.
func (h *Host) QueueCommand(t *machine.Thread, cmd *Command) Code {
	h.require(cmd, chargedReady|chargedDispatch, "queuecommand")
	h.charge(cmd, chargedCall)
	t.Enter(h.section)
	check := !h.sys.cfg.NoLimitCheck
	d := cmd.Device()
	cmd.inDriver = check
	if check {
		d.enterDriver(t, cmd)
	}
	code := h.driver.QueueCommand(t, cmd)
	if code != Accepted && check {
		d.leaveDriver(t)
		cmd.inDriver = false
	}
	t.Leave()
	return code
}

func (d *Device) enterDriver(t *machine.Thread, cmd *Command) {
	t.Note(&d.Host.boundary)
	for _, g := range [...]*gauge{&d.commands, &d.Target.commands} {
		g.judge(g.enter(), g.limit)
	}
	g := &d.Host.commands
	n := g.enter()
	// After that: the limit may just have been raised, for one of those.
	g.judge(n, d.Host.limit.most(cmd.since, g.limit))
}

func (d *Device) leaveDriver(t *machine.Thread) {
	t.Note(&d.Host.boundary)
	d.Host.commands.leave()
	d.Target.commands.leave()
	d.commands.leave()
}

// NoConnect completes a command that no driver gets, because its device or
// its host is gone (DID_NO_CONNECT). Its slots must have been taken: the
// completion gives them back.
func (h *Host) NoConnect(t *machine.Thread, cmd *Command) {
	cmd.Result = Result{Host: DidNoConnect}
	cmd.inDriver = false
	cmd.Done(t)
}
