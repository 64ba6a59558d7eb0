package dispatch

import (
	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

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
	t.LookAll(&cmd.Device().reads)
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
	d.Host.occupyDriver(t, 1)
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
	d.Host.occupyDriver(t, -1)
	t.Note(&d.Host.boundary)
	d.Host.commands.leave()
	d.Target.commands.leave()
	d.commands.leave()
}

// NoConnect completes a command that no driver gets, because its device or
// its host is gone (DID_NO_CONNECT). Its slots must have been taken: the
// completion gives them back.
func (h *Host) NoConnect(t *machine.Thread, cmd *Command) {
	cmd.Result = scsi.Result{Host: scsi.DidNoConnect}
	cmd.inDriver = false
	cmd.Done(t)
}

// Submit hands a request to its device (submit_bio, __make_request). It may
// dispatch this request and others before it returns. A request that no
// command can carry is finished at once, with ErrTooLarge or ErrBeyondEnd.
func (iss *Issuer) Submit(t *machine.Thread, rq *Request) {
	if !rq.life.CompareAndSwap(idle, issued) {
		panic("dispatch: a request is submitted that is not its issuer's")
	}
	rq.submitted = t.Now()
	iss.total.issued.Add(1)
	if iss.sys.window.Load() == windowOpen {
		iss.inside.issued.Add(1)
	}
	d := rq.Device
	var err error
	switch {
	case rq.Sectors > d.MaxSectors() || rq.Segments > d.MaxSegments() && !iss.sys.sg.livelock:
		err = ErrTooLarge
	case rq.Sector < 0 || rq.Sector+int64(rq.Sectors) > d.Capacity:
		err = ErrBeyondEnd
	}
	if err != nil {
		rq.finish(t, err)
		rq.release()
		return
	}
	d.MakeRequest(t, rq)
}

// MakeRequest puts a request into the device's queue and runs it. Devices like
// these, whose requests gain nothing by waiting for neighbours, are not plugged
// by a first request (queue_should_plug) [S35].
//
//go:noinline
func (d *Device) MakeRequest(t *machine.Thread, rq *Request) {
	t.Enter(secMakeRequest)
	h := d.Host
	h.costs.makeRequest.Spend(t)
	cmd := &rq.Cmd
	cmd.core = t.Core()
	cmd.charged = 0
	cmd.Uses++
	cmd.Prepared = false
	cmd.quit(t)
	d.occupy(t, 1, 0)
	h.strategy.Insert(t, rq)
	// From here on the request is the queue's: another core may have it, and
	// have completed it.
	d.RequestFn(t)
	t.Leave()
}

// RequestFn dispatches what the device's queue has, as far as device, target
// and host admit it (scsi_request_fn) [S35]. The queue is entered, by
// Strategy.Insert, Enter or Starved, and is left when RequestFn returns.
//
//go:noinline
func (d *Device) RequestFn(t *machine.Thread) {
	t.Enter(secRequestFn)
	t.LookAll(&d.reads)
	h, s := d.Host, d.Host.strategy
	for {
		since := h.limit.changes.Load()
		before := h.next.Begin(t)
		cmd := s.Next(t, d)
		h.next.End(t, before, d, cmd != nil)
		if cmd == nil {
			break
		}
		cmd.since = int(since)
		d.occupy(t, -1, 1)
		refused := h.DispatchCmd(t, cmd) != Accepted
		s.Back(t, d, refused)
		if refused {
			break
		}
	}
	s.Exit(t, d)
	t.Leave()
}

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
	d.occupy(t, 1, 0)
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

// DeviceUnbusy gives back the slots that a command has of its host, its target
// and its device (scsi_device_unbusy) [S35].
//
//go:noinline
func (h *Host) DeviceUnbusy(t *machine.Thread, cmd *Command) {
	t.Enter(secDeviceUnbusy)
	t.LookAll(&cmd.Device().reads)
	h.strategy.Release(t, cmd)
	cmd.Device().occupy(t, 0, -1)
	h.require(cmd, chargedUnbusy, "the end of scsi_device_unbusy")
	t.Leave()
}

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
		return scsi.Result{Host: scsi.DidTimeOut}.Err()
	}
	return cmd.Result.Err()
}

// Run is the state of one call of RunQueue. Its exported fields are the
// strategy's.
type Run struct {
	Head    Node // of the devices that this run took from the starved list
	Started bool
	Left    int
	From    int // the strategy's own, such as where its search began
	Again   bool

	charged bool
}

func (r *Run) init() { r.Head.InitHead() }

// RunQueue restarts every device that was refused a slot of the host or of its
// target, in the order in which they were, and then dev itself
// (scsi_run_queue) [S35]: the device that has just finished a command comes
// after those that starved.
//
//go:noinline
func (h *Host) RunQueue(t *machine.Thread, dev *Device, run *Run) {
	t.Enter(secRunQueue)
	t.LookAll(&dev.reads)
	run.Started, run.charged, run.Left, run.Again = false, false, 0, false
	s := h.strategy
	for d := s.Starved(t, run); d != nil; d = s.Starved(t, run) {
		d.RequestFn(t)
	}
	if !run.charged {
		h.fault("Starved", "ends a run without a call of Host.RunQueueBody")
	}
	if s.Enter(t, dev) {
		dev.RequestFn(t)
	}
	t.Leave()
}
