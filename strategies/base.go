package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// Base is what strategies do alike, to be embedded in one: it has the blocked
// counters, whether the host has blocked itself, and the verbs Call, Block,
// Unblock, End, SetHostState and SelfBlock. None of them takes a lock but Call,
// for a driver that relies on one. What is left to write is Insert, Enter, Next,
// Back, Exit, Release, Starved, Requeue and SetDeviceState; [Queues] has most of
// those, and [Counted] has Starved.
//
// Any verb can be written anew, as host-lock does with most of these.
type Base struct {
	Host *dispatch.Host

	_    [64]byte
	lock machine.SpinLock // host_lock, where somebody needs it
	_    [64]byte
	// Both are written rarely and share one line, so that every core can keep it.
	blocked machine.Word // host_blocked
	self    machine.Word // host_self_blocked
	_       [64]byte

	targets []Target
	devices []*machine.Word // device_blocked
}

// Init is to be called first, once.
func (b *Base) Init(h *dispatch.Host) {
	b.Host = h
	if h.Template.NeedsHostLock {
		h.Object().InitLock(&b.lock, h.Machine(), "host_lock", "Scsi_Host.default_lock")
	}
	flags := h.Own("host_flags")
	b.blocked.Init(flags.Line("Scsi_Host.host_blocked"), 0)
	b.self.Init(flags.Line("Scsi_Host.host_self_blocked"), 0)
	b.targets = make([]Target, len(h.Targets))
	for i, target := range h.Targets {
		b.targets[i].init(target)
	}
	b.devices = make([]*machine.Word, len(h.Devices))
	for i, dev := range h.Devices {
		b.DeviceBlockedIn(i, new(machine.Word), dev.Own("device_flags").Line(deviceBlocked))
	}
}

// deviceBlocked is the field that a device's blocked counter is.
const deviceBlocked = "scsi_device.device_blocked"

// DeviceBlockedIn has a device's blocked counter kept in a word on a line of the
// strategy's choice, such as one that is read with it anyhow.
func (b *Base) DeviceBlockedIn(device int, w *machine.Word, line *machine.Line) {
	w.Init(line, 0)
	b.devices[device] = w
}

// Target is a device's target.
func (b *Base) Target(dev *dispatch.Device) *Target { return &b.targets[dev.Target.Index] }

// Call calls the driver with nothing held, but for one that relies on the host
// lock: that gets one around its queuecommand alone, as DEF_SCSI_QCMD gave it
// since 2.6.37. A command's serial number is made of nothing shared: no two that
// are alive have the same, and none has 0.
func (b *Base) Call(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	cmd.Serial = cmd.Uses<<32 | uint64(cmd.Index)
	b.Host.DispatchBody(t, cmd)
	if b.Host.State(t) == dispatch.HostDel {
		b.Host.NoConnect(t, cmd)
		return dispatch.Accepted
	}
	if !b.Host.Template.NeedsHostLock {
		return b.Host.QueueCommand(t, cmd)
	}
	LockIRQ(t, &b.lock)
	code := b.Host.QueueCommand(t, cmd)
	UnlockIRQ(t, &b.lock)
	return code
}

// LockHost and UnlockHost implement [dispatch.HostLocker]: a driver that relies
// on the host lock in queuecommand takes it in its own threads, too. Where it does
// not, nobody calls them.
func (b *Base) LockHost(t *machine.Thread)   { LockIRQ(t, &b.lock) }
func (b *Base) UnlockHost(t *machine.Thread) { UnlockIRQ(t, &b.lock) }

// Block sets the blocked counter that a refusal asks for: how often somebody has
// to ask with nothing outstanding before anybody is admitted again. The kernel
// stores it without a lock, too (scsi_queue_insert) [S35].
func (b *Base) Block(t *machine.Thread, dev *dispatch.Device, code dispatch.Code) {
	switch code {
	case dispatch.HostBusy:
		b.blocked.Store(t, uint64(b.Host.Template.MaxHostBlocked))
	case dispatch.TargetBusy:
		b.Target(dev).blocked.Store(t, uint64(b.Host.MaxTargetBlocked))
	case dispatch.DeviceBusy:
		b.devices[dev.Index].Store(t, uint64(b.Host.MaxDeviceBlocked))
	}
}

// Unblock writes only where a counter is set, and leaves the line alone where it
// is not, as since 3.17.
func (b *Base) Unblock(t *machine.Thread, cmd *dispatch.Command) {
	dev := cmd.Device()
	clear0(t, &b.blocked)
	clear0(t, &b.Target(dev).blocked)
	clear0(t, b.devices[dev.Index])
}

// End has nothing to do: nobody lists live commands, and a command goes with its
// request.
func (b *Base) End(*machine.Thread, *dispatch.Command) {}

func (b *Base) SetHostState(t *machine.Thread, state dispatch.HostState) error {
	return b.Host.StoreState(t, state)
}

func (b *Base) SelfBlock(t *machine.Thread, on bool) {
	v := uint64(0)
	if on {
		v = 1
	}
	b.self.Store(t, v)
}

// Admission is what the ready checks of device, target and host say.
type Admission uint8

const (
	Admitted Admission = iota
	Refused            // the plug, or whoever changes the state, sees to it
	Starves            // the next that gives a slot back must try this device
)

// Open reports whether nothing but a lack of slots stops the host's commands.
func (b *Base) Open(t *machine.Thread) bool {
	return b.blocked.Load(t) == 0 && b.self.Load(t) == 0 && !b.Host.State(t).InRecovery()
}

// Pass judges a command that has its slot of the host. slots is asked whether that
// is the only one taken, where the host is blocked.
func (b *Base) Pass(t *machine.Thread, slots interface{ Alone(t *machine.Thread) bool }) Admission {
	if b.Host.State(t).InRecovery() {
		return Refused // whoever ends recovery runs every queue
	}
	if b.self.Load(t) != 0 {
		return Starves
	}
	if b.blocked.Load(t) != 0 {
		if !slots.Alone(t) {
			return Starves
		}
		if countdown(t, &b.blocked) != 0 {
			return Refused
		}
	}
	return Admitted
}

// Unblocked asks a device's blocked counter, and counts it down where no other
// command of the device is outstanding.
func (b *Base) Unblocked(t *machine.Thread, dev *dispatch.Device, others int) bool {
	return unblocked(t, b.devices[dev.Index], others)
}

func unblocked(t *machine.Thread, w *machine.Word, others int) bool {
	return w.Load(t) == 0 || others == 0 && countdown(t, w) == 0
}

// countdown takes one from a blocked counter and returns what is left. A
// completion may set it to 0 at any time, and then it stays 0.
func countdown(t *machine.Thread, w *machine.Word) uint64 {
	for {
		n := w.Load(t)
		if n == 0 || w.CAS(t, n, n-1) {
			return max(n, 1) - 1
		}
	}
}

// clear0 sets a blocked counter to 0 where it is not.
func clear0(t *machine.Thread, w *machine.Word) {
	if w.Load(t) != 0 {
		w.Store(t, 0)
	}
}

// LockIRQ is spin_lock_irq: interrupts are off from before the lock is drawn,
// or a handler that takes it could wait for the thread that it interrupted.
func LockIRQ(t *machine.Thread, l *machine.SpinLock) {
	t.IRQSave()
	l.Lock(t)
}

// UnlockIRQ is spin_unlock_irq. Every verb of a strategy is entered with
// interrupts on, so it turns them on again without asking.
func UnlockIRQ(t *machine.Thread, l *machine.SpinLock) {
	l.Unlock(t)
	t.IRQRestore(false)
}
