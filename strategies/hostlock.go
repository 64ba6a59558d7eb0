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
	Base
	Queues
	// unlocked is the patch's flag unlocked_qcmds.
	unlocked bool

	_       [64]byte
	fields  hlFields // where lies what follows, which host_lock protects
	busy    int      // host_busy
	serial  uint64
	self    bool          // host_self_blocked
	starved dispatch.Node // starved_list
	_       [64]byte
	free    machine.SpinLock // free_list_lock
	spare   machine.Fields   // free_list
	_       [64]byte

	targets []hlTarget
	devices []hlDevice
}

// hlTarget is a target's share of what host_lock protects.
type hlTarget struct {
	_      [64]byte
	fields machine.Fields // target_busy
	busy   int            // target_busy
	_      [64]byte
}

// hlFields is where the host's fields lie that host_lock protects, by who uses
// which of them.
type hlFields struct {
	counted machine.Fields // host_busy
	serial  machine.Fields // cmd_serial_number
	starved machine.Fields // starved_list
	self    machine.Fields // host_self_blocked
	checked machine.Fields // host_self_blocked, where it does not lie with host_busy
	refused machine.Fields // starved_list, where it does not lie with host_busy
}

// hlDevice is a device's entry on the starved list, under host_lock, and its list
// of live commands, under list_lock.
type hlDevice struct {
	*Queue
	entry  dispatch.Node
	target *hlTarget
	slots  *Target // for its blocked counter
	list   machine.SpinLock
	live   dispatch.Node
	lives  machine.Fields // cmd_list
	waits  machine.Fields // starved_entry, where a layout has it
}

// newHostLock makes host-lock, or, with the patch of 2010, unlocked-qcmds: where
// the driver does not rely on the host lock, scsi_dispatch_cmd lets go of it, and
// restores interrupts, before it calls queuecommand instead of after. The other
// three sections stay as they were; so does everything for a driver that does rely
// on it. The patch is a flag on the host, and so it is here.
func newHostLock(h *dispatch.Host, patched bool) *hostLock {
	s := &hostLock{
		unlocked: patched && !h.Template.NeedsHostLock,
		targets:  make([]hlTarget, len(h.Targets)), devices: make([]hlDevice, len(h.Devices)),
	}
	m := h.Machine()
	s.Base.Init(h)
	if !h.Template.NeedsHostLock {
		h.Object().InitLock(&s.lock, m, "host_lock", "Scsi_Host.default_lock")
	}
	h.Object().InitLock(&s.free, m, "free_list_lock", "Scsi_Host.free_list_lock")
	s.spare = h.Own("free_list").Fields("Scsi_Host.free_list")
	line := h.Own("scsi_host")
	s.fields = hlFields{
		counted: line.Fields("Scsi_Host.host_busy"), serial: line.Fields("Scsi_Host.cmd_serial_number"),
		starved: line.Fields("Scsi_Host.starved_list"), self: line.Fields("Scsi_Host.host_self_blocked"),
	}
	s.fields.checked = s.fields.self.Beyond(s.fields.counted)
	s.fields.refused = s.fields.starved.Beyond(s.fields.counted)
	s.Queues.Init(&s.Base)
	s.starved.InitHead()
	// host_blocked and target_blocked lie beside what host_lock protects, and are
	// stored without it.
	s.blocked.Init(line.Line("Scsi_Host.host_blocked"), 0)
	for i, target := range h.Targets {
		line := target.Own("scsi_target")
		s.targets[i].fields = line.Fields("scsi_target.target_busy")
		s.Base.targets[i].blocked.Init(line.Line("scsi_target.target_blocked"), 0)
	}
	for i, dev := range h.Devices {
		d := &s.devices[i]
		d.Queue = s.Queue(dev)
		d.entry.Value = d
		d.target, d.slots = &s.targets[dev.Target.Index], s.Target(dev)
		dev.Object().InitLock(&d.list, m, "list_lock", "scsi_device.list_lock")
		d.live.InitHead()
		d.lives = dev.Own("cmd_list").Fields("scsi_device.cmd_list")
		d.waits = dev.Object().Placed("scsi_device.starved_entry")
	}
	return s
}

// Insert is the locking of __make_request: once to look for a request to merge
// with, and to take one from the pool, and once to add it.
func (s *hostLock) Insert(t *machine.Thread, rq *dispatch.Request) {
	d := &s.devices[rq.Device.Index]
	d.Enter(t)
	d.Leave(t)
	d.Enter(t)
	d.insert(t, rq)
}

func (s *hostLock) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	d := &s.devices[dev.Index]
	for rq := d.Head(); rq != nil; rq = d.Head() {
		cmd := &rq.Cmd
		verdict := dev.State(t).Verdict(cmd.Prepared, rq.Preempt)
		if verdict == dispatch.Defer {
			d.PlugIfAlone(t)
			return nil
		}
		if !cmd.Prepared && !s.get(t, d, cmd) {
			d.PlugIfAlone(t)
			return nil
		}
		if verdict == dispatch.Kill {
			s.kill(t, d, cmd)
			continue
		}
		if !d.Ready(t) {
			return nil
		}
		d.Start()
		d.lock.Unlock(t) // interrupts stay off

		s.lock.Lock(t)
		t.TouchAll(&s.fields.counted)
		if s.targetReady(t, d) && s.hostReady(t, d) {
			t.TouchAll(&d.target.fields)
			d.target.busy++
			s.busy++
			s.Host.ReadyBody(t, cmd)
			UnlockIRQ(t, &s.lock)
			return cmd
		}
		UnlockIRQ(t, &s.lock)
		d.Enter(t)
		d.Restart(cmd.Request)
		d.PlugIfAlone(t)
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
	t.TouchAll(&d.lives)
	d.live.PushBack(&cmd.Live)
	d.list.Unlock(t)
	return true
}

// kill fails the request at the queue's head, whose device is gone
// (scsi_kill_request): it counts it everywhere, since its completion will take
// that back.
func (s *hostLock) kill(t *machine.Thread, d *hlDevice, cmd *dispatch.Command) {
	d.Start()
	d.lock.Unlock(t)
	s.lock.Lock(t)
	t.TouchAll(&s.fields.counted)
	s.busy++
	t.TouchAll(&d.target.fields)
	d.target.busy++
	s.lock.Unlock(t)
	d.lock.Lock(t)
	t.TouchAll(&d.fields)
	s.Host.NoConnect(t, cmd)
}

// targetReady is scsi_target_queue_ready, under host_lock.
func (s *hostLock) targetReady(t *machine.Thread, d *hlDevice) bool {
	tg := d.target
	blocked := d.slots.blocked.Load(t)
	if blocked != 0 && tg.busy == 0 {
		if blocked = countdown(t, &d.slots.blocked); blocked != 0 {
			return false
		}
	}
	limit := d.dev.Target.CanQueue
	if blocked != 0 || limit > 0 && tg.busy >= limit {
		if !d.entry.Linked() {
			s.starve(t, d)
			return false
		}
		if !s.Host.HistoricTargetBug {
			return false
		}
	}
	d.entry.Remove()
	return true
}

// hostReady is scsi_host_queue_ready, under host_lock.
func (s *hostLock) hostReady(t *machine.Thread, d *hlDevice) bool {
	if s.Host.State(t).InRecovery() {
		return false // whoever ends recovery runs every queue
	}
	blocked := s.blocked.Load(t)
	if blocked != 0 && s.busy == 0 {
		if blocked = countdown(t, &s.blocked); blocked != 0 {
			return false
		}
	}
	if blocked != 0 || s.full(t) {
		if !d.entry.Linked() {
			s.starve(t, d)
		}
		return false
	}
	d.entry.Remove()
	return true
}

// starve puts a device on the starved list, under host_lock.
func (s *hostLock) starve(t *machine.Thread, d *hlDevice) {
	t.TouchAll(&s.fields.refused)
	t.TouchAll(&d.waits)
	s.starved.PushBack(&d.entry)
}

// full is scsi_host_is_busy without the blocked counter.
func (s *hostLock) full(t *machine.Thread) bool {
	t.LookAll(&s.fields.checked)
	limit := s.Host.CanQueue()
	return s.self || limit > 0 && s.busy >= limit
}

// Exit lets go of queue_lock once more than it must, as scsi_request_fn does
// so that the last put_device runs without it.
func (s *hostLock) Exit(t *machine.Thread, dev *dispatch.Device) {
	d := &s.devices[dev.Index]
	d.Leave(t)
	d.Enter(t)
	d.Leave(t)
}

// Call is scsi_dispatch_cmd's section. Under the patch the lock is gone, and
// interrupts are on, when the driver is called; a command for a deleted host is
// completed under the lock in either case.
func (s *hostLock) Call(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	LockIRQ(t, &s.lock)
	t.TouchAll(&s.fields.serial)
	s.serial++
	cmd.Serial = s.serial
	s.Host.DispatchBody(t, cmd)
	if s.Host.State(t) == dispatch.HostDel {
		s.Host.NoConnect(t, cmd)
		UnlockIRQ(t, &s.lock)
		return dispatch.Accepted
	}
	if s.unlocked {
		UnlockIRQ(t, &s.lock)
		return s.Host.QueueCommand(t, cmd)
	}
	code := s.Host.QueueCommand(t, cmd)
	UnlockIRQ(t, &s.lock)
	return code
}

func (s *hostLock) Release(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	LockIRQ(t, &s.lock)
	t.TouchAll(&s.fields.counted)
	s.busy--
	t.TouchAll(&d.target.fields)
	d.target.busy--
	s.Host.UnbusyBody(t, cmd)
	s.wakeIfQuiet(t)
	s.lock.Unlock(t) // interrupts stay off
	d.lock.Lock(t)
	t.TouchAll(&d.own)
	d.busy--
	d.Leave(t)
}

// Unblock stores to lines that others share, whether the counters were set or
// not, as scsi_finish_command did until 3.17.
func (s *hostLock) Unblock(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	s.blocked.Store(t, 0)
	d.slots.blocked.Store(t, 0)
	d.blocked.Store(t, 0)
}

// End is blk_finish_request's queue_lock, and then scsi_put_command: off the
// device's list, then the host's free_list_lock, which 2.6.35 takes for every
// command.
func (s *hostLock) End(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	d.Enter(t)
	d.Leave(t)
	LockIRQ(t, &d.list)
	t.TouchAll(&d.lives)
	cmd.Live.Remove()
	UnlockIRQ(t, &d.list)
	LockIRQ(t, &s.free)
	t.LookAll(&s.spare)
	UnlockIRQ(t, &s.free)
}

// Starved is scsi_run_queue's loop: the first call takes the whole list, under
// host_lock even where it is empty.
func (s *hostLock) Starved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	LockIRQ(t, &s.lock)
	t.TouchAll(&s.fields.starved)
	if !run.Started {
		run.Started = true
		s.Host.RunQueueBody(t, run)
		run.Head.SpliceFront(&s.starved)
	}
	for !run.Head.Empty() {
		if s.full(t) || s.blocked.Load(t) != 0 {
			break
		}
		e := run.Head.First()
		e.Remove()
		d := e.Value.(*hlDevice)
		if limit := d.dev.Target.CanQueue; d.slots.blocked.Load(t) != 0 || limit > 0 && d.target.busy >= limit {
			s.starved.PushBack(e)
			continue
		}
		s.lock.Unlock(t) // interrupts stay off
		d.lock.Lock(t)
		t.TouchAll(&d.fields)
		if d.runnable(t) {
			return d.dev
		}
		d.lock.Unlock(t)
		s.lock.Lock(t)
		t.TouchAll(&s.fields.starved)
	}
	s.starved.SpliceFront(&run.Head)
	UnlockIRQ(t, &s.lock)
	return nil
}

func (s *hostLock) SetHostState(t *machine.Thread, state dispatch.HostState) error {
	LockIRQ(t, &s.lock)
	err := s.Host.StoreState(t, state)
	UnlockIRQ(t, &s.lock)
	return err
}

func (s *hostLock) SelfBlock(t *machine.Thread, on bool) {
	LockIRQ(t, &s.lock)
	t.TouchAll(&s.fields.self)
	s.self = on
	UnlockIRQ(t, &s.lock)
}

// Fail implements [dispatch.Recoverer] (scsi_eh_scmd_add).
func (s *hostLock) Fail(t *machine.Thread, cmd *dispatch.Command) bool {
	LockIRQ(t, &s.lock)
	t.TouchAll(&s.fields.counted)
	ok := s.Host.AddFailed(t, cmd)
	if ok {
		s.wakeIfQuiet(t)
	}
	UnlockIRQ(t, &s.lock)
	return ok
}

// wakeIfQuiet is scsi_eh_wakeup, under host_lock.
func (s *hostLock) wakeIfQuiet(t *machine.Thread) {
	if s.Host.Failing(t) && s.busy == s.Host.Failed(t) {
		s.Host.WakeHandler(t)
	}
}

// Quiet implements [dispatch.Recoverer]. The kernel's thread asks without the
// lock; here that would be a race that Go does not allow.
func (s *hostLock) Quiet(t *machine.Thread) bool {
	LockIRQ(t, &s.lock)
	t.LookAll(&s.fields.counted)
	quiet := s.busy == s.Host.Failed(t)
	UnlockIRQ(t, &s.lock)
	return quiet
}
