package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// hostLock is the locking of 2.6.35 [S35]. A command takes host_lock four
// times: in scsi_request_fn for the ready checks, in scsi_dispatch_cmd around
// queuecommand, in scsi_device_unbusy, and in scsi_run_queue even where nothing
// starves. It takes its queue's queue_lock about seven times, the device's
// list_lock twice, and the host's free_list_lock once. queue_lock and
// host_lock are never held together; interrupts stay off over the hand-over
// from one to the other.
type hostLock struct {
	h *dispatch.Host
	// unlocked is the patch's flag unlocked_qcmds.
	unlocked bool

	_       [64]byte
	lock    machine.SpinLock // host_lock
	_       [64]byte
	line    *machine.Line // of what follows, which the lock protects
	busy    int           // host_busy
	serial  uint64
	self    bool          // host_self_blocked
	starved dispatch.Node // starved_list
	blocked machine.Word  // host_blocked, stored without the lock
	_       [64]byte
	free    machine.SpinLock // free_list_lock
	freeLn  *machine.Line
	_       [64]byte

	targets []hlTarget
	devices []hlDevice
}

// hlTarget is a target's share of what host_lock protects.
type hlTarget struct {
	_       [64]byte
	line    *machine.Line
	busy    int          // target_busy
	blocked machine.Word // target_blocked
}

// hlDevice is a device's queue, its entry on the starved list, under
// host_lock, and its list of live commands, under list_lock.
type hlDevice struct {
	queue
	entry  dispatch.Node
	target *hlTarget
	list   machine.SpinLock
	live   dispatch.Node
	liveLn *machine.Line
}

func newHostLock(h *dispatch.Host, unlocked bool) *hostLock {
	s := &hostLock{
		h: h, unlocked: unlocked,
		line: machine.NewLine("scsi_host"), freeLn: machine.NewLine("free_list"),
		targets: make([]hlTarget, len(h.Targets)), devices: make([]hlDevice, len(h.Devices)),
	}
	m := h.Machine()
	s.lock.Init(m, "host_lock")
	s.free.Init(m, "free_list_lock")
	s.starved.InitHead()
	s.blocked.Init(s.line, 0)
	for i := range s.targets {
		tg := &s.targets[i]
		tg.line = machine.NewLine("scsi_target")
		tg.blocked.Init(tg.line, 0)
	}
	for i, dev := range h.Devices {
		d := &s.devices[i]
		d.queue.init(h, dev)
		d.entry.Value = d
		d.target = &s.targets[dev.Target.Index]
		d.list.Init(m, "list_lock")
		d.live.InitHead()
		d.liveLn = machine.NewLine("cmd_list")
	}
	return s
}

// Insert is the locking of __make_request: once to look for a request to merge
// with, and to take one from the pool, and once to add it.
func (s *hostLock) Insert(t *machine.Thread, rq *dispatch.Request) {
	d := &s.devices[rq.Device.Index]
	d.enter(t)
	d.leave(t)
	d.enter(t)
	d.insert(t, rq)
}

func (s *hostLock) Enter(t *machine.Thread, dev *dispatch.Device) bool {
	d := &s.devices[dev.Index]
	d.enter(t)
	if d.runnable(t) {
		return true
	}
	d.leave(t)
	return false
}

func (s *hostLock) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	d := &s.devices[dev.Index]
	for !d.plugged && !d.stopped && d.head != nil {
		cmd := &d.head.Cmd
		state := dev.State(t)
		verdict := state.Verdict(cmd.Prepared, d.head.Preempt)
		if verdict == dispatch.Defer {
			d.plugIfAlone(t)
			return nil
		}
		if !cmd.Prepared && !s.get(t, d, cmd) {
			d.plugIfAlone(t)
			return nil
		}
		if verdict == dispatch.Kill {
			s.kill(t, d, cmd)
			continue
		}
		if !d.ready(t) {
			return nil
		}
		d.start()
		d.lock.Unlock(t) // interrupts stay off

		s.lock.Lock(t)
		t.Touch(s.line)
		if s.targetReady(t, d) && s.hostReady(t, d) {
			t.Touch(d.target.line)
			d.target.busy++
			s.busy++
			s.h.ReadyBody(t, cmd)
			unlockIRQ(t, &s.lock)
			return cmd
		}
		unlockIRQ(t, &s.lock)
		d.enter(t)
		d.restart(cmd.Request)
		d.plugIfAlone(t)
		return nil
	}
	return nil
}

// get takes a command for the request at the queue's head (scsi_get_command):
// list_lock within queue_lock.
func (s *hostLock) get(t *machine.Thread, d *hlDevice, cmd *dispatch.Command) bool {
	if !cmd.Prepare(t) {
		return false
	}
	d.list.Lock(t)
	t.Touch(d.liveLn)
	d.live.PushBack(&cmd.Live)
	d.list.Unlock(t)
	return true
}

// kill fails the request at the queue's head, whose device is gone
// (scsi_kill_request): it counts it everywhere, since its completion will take
// that back.
func (s *hostLock) kill(t *machine.Thread, d *hlDevice, cmd *dispatch.Command) {
	d.start()
	d.lock.Unlock(t)
	s.lock.Lock(t)
	t.Touch(s.line)
	s.busy++
	t.Touch(d.target.line)
	d.target.busy++
	s.lock.Unlock(t)
	d.lock.Lock(t)
	t.Touch(d.line)
	s.h.NoConnect(t, cmd)
}

// targetReady is scsi_target_queue_ready, under host_lock.
func (s *hostLock) targetReady(t *machine.Thread, d *hlDevice) bool {
	tg := d.target
	blocked := tg.blocked.Load(t)
	if blocked != 0 && tg.busy == 0 {
		if blocked = countdown(t, &tg.blocked); blocked != 0 {
			return false
		}
	}
	limit := d.dev.Target.CanQueue
	if blocked != 0 || limit > 0 && tg.busy >= limit {
		if !d.entry.Linked() {
			s.starved.PushBack(&d.entry)
			return false
		}
		if !s.h.HistoricTargetBug {
			return false
		}
	}
	d.entry.Remove()
	return true
}

// hostReady is scsi_host_queue_ready, under host_lock.
func (s *hostLock) hostReady(t *machine.Thread, d *hlDevice) bool {
	if s.h.State(t).InRecovery() {
		return false // whoever ends recovery runs every queue
	}
	blocked := s.blocked.Load(t)
	if blocked != 0 && s.busy == 0 {
		if blocked = countdown(t, &s.blocked); blocked != 0 {
			return false
		}
	}
	if blocked != 0 || s.full() {
		if !d.entry.Linked() {
			s.starved.PushBack(&d.entry)
		}
		return false
	}
	d.entry.Remove()
	return true
}

// full is scsi_host_is_busy without the blocked counter.
func (s *hostLock) full() bool {
	limit := s.h.CanQueue()
	return s.self || limit > 0 && s.busy >= limit
}

func (s *hostLock) Back(t *machine.Thread, dev *dispatch.Device, refused bool) {
	d := &s.devices[dev.Index]
	d.enter(t)
	if refused {
		d.plugIfAlone(t)
	}
}

// Exit lets go of queue_lock once more than it must, as scsi_request_fn does
// so that the last put_device runs without it.
func (s *hostLock) Exit(t *machine.Thread, dev *dispatch.Device) {
	d := &s.devices[dev.Index]
	d.leave(t)
	d.enter(t)
	d.leave(t)
}

// Call is scsi_dispatch_cmd's section. Under the patch the lock is gone, and
// interrupts are on, when the driver is called; a command for a deleted host is
// completed under the lock in either case.
func (s *hostLock) Call(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	lockIRQ(t, &s.lock)
	t.Touch(s.line)
	s.serial++
	cmd.Serial = s.serial
	s.h.DispatchBody(t, cmd)
	if s.h.State(t) == dispatch.HostDel {
		s.h.NoConnect(t, cmd)
		unlockIRQ(t, &s.lock)
		return dispatch.Accepted
	}
	if s.unlocked {
		unlockIRQ(t, &s.lock)
		return s.h.QueueCommand(t, cmd)
	}
	code := s.h.QueueCommand(t, cmd)
	unlockIRQ(t, &s.lock)
	return code
}

func (s *hostLock) Release(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	lockIRQ(t, &s.lock)
	t.Touch(s.line)
	s.busy--
	t.Touch(d.target.line)
	d.target.busy--
	s.h.UnbusyBody(t, cmd)
	s.wakeIfQuiet(t)
	s.lock.Unlock(t) // interrupts stay off
	d.lock.Lock(t)
	t.Touch(d.line)
	d.busy--
	d.leave(t)
}

// Unblock stores to lines that others share, whether the counters were set or
// not, as scsi_finish_command did until 3.17.
func (s *hostLock) Unblock(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	s.blocked.Store(t, 0)
	d.target.blocked.Store(t, 0)
	d.blocked.Store(t, 0)
}

// End is blk_finish_request's queue_lock.
func (s *hostLock) End(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	d.enter(t)
	d.leave(t)
}

// Put is scsi_put_command: off the device's list, then the host's
// free_list_lock, which 2.6.35 takes for every command.
func (s *hostLock) Put(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	lockIRQ(t, &d.list)
	t.Touch(d.liveLn)
	cmd.Live.Remove()
	unlockIRQ(t, &d.list)
	lockIRQ(t, &s.free)
	t.Look(s.freeLn)
	unlockIRQ(t, &s.free)
}

// Starved is scsi_run_queue's loop: the first call takes the whole list, under
// host_lock even where it is empty.
func (s *hostLock) Starved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	lockIRQ(t, &s.lock)
	t.Touch(s.line)
	if !run.Started {
		run.Started = true
		s.h.RunQueueBody(t, run)
		run.Head.SpliceFront(&s.starved)
	}
	for !run.Head.Empty() {
		if s.full() || s.blocked.Load(t) != 0 {
			break
		}
		e := run.Head.First()
		e.Remove()
		d := e.Value.(*hlDevice)
		if limit := d.dev.Target.CanQueue; d.target.blocked.Load(t) != 0 || limit > 0 && d.target.busy >= limit {
			s.starved.PushBack(e)
			continue
		}
		s.lock.Unlock(t) // interrupts stay off
		d.lock.Lock(t)
		t.Touch(d.line)
		if d.runnable(t) {
			return d.dev
		}
		d.lock.Unlock(t)
		s.lock.Lock(t)
		t.Touch(s.line)
	}
	s.starved.SpliceFront(&run.Head)
	unlockIRQ(t, &s.lock)
	return nil
}

func (s *hostLock) Requeue(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	d.enter(t)
	d.pushFront(cmd.Request)
	d.leave(t)
}

func (s *hostLock) Block(t *machine.Thread, dev *dispatch.Device, code dispatch.Code) {
	d := &s.devices[dev.Index]
	block(t, s.h, code, &s.blocked, &d.target.blocked, &d.blocked)
}

func (s *hostLock) SetHostState(t *machine.Thread, state dispatch.HostState) error {
	lockIRQ(t, &s.lock)
	err := s.h.StoreState(t, state)
	unlockIRQ(t, &s.lock)
	return err
}

func (s *hostLock) SetDeviceState(t *machine.Thread, dev *dispatch.Device, state dispatch.DeviceState) {
	d := &s.devices[dev.Index]
	d.enter(t)
	dev.StoreState(t, state)
	d.stopped = state.Blocked()
	d.leave(t)
}

func (s *hostLock) SelfBlock(t *machine.Thread, on bool) {
	lockIRQ(t, &s.lock)
	t.Touch(s.line)
	s.self = on
	unlockIRQ(t, &s.lock)
}
