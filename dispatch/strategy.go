package dispatch

import (
	"hostlock/machine"
)

// Strategy owns all synchronisation of one host's path, and the state that it
// protects: the queue of every device, busy and blocked counters, the starved
// list, the plug. Each method is a verb, and may be called on any core. What they
// must keep to is in package dispatch/contract; strategies.Base has most of them.
type Strategy interface {
	// Insert puts a request at the tail of its device's queue (in front where
	// it is marked Preempt), takes a plug off, and enters the queue.
	Insert(t *machine.Thread, rq *Request)
	// Enter enters a device's queue to run it, taking a plug off; false is that
	// there is nothing to run, or that somebody runs it already.
	Enter(t *machine.Thread, dev *Device) bool
	// Next takes the next request that its device, target and host admit, and
	// leaves the queue; nil is that there is none, and the queue is still entered.
	Next(t *machine.Thread, dev *Device) *Command
	// Back enters the queue again after a command of Next was dispatched, and
	// plugs it where that was refused with nothing of the device outstanding.
	Back(t *machine.Thread, dev *Device, refused bool)
	// Exit leaves an entered queue.
	Exit(t *machine.Thread, dev *Device)

	// Call gives the command its serial number, and calls the driver.
	Call(t *machine.Thread, cmd *Command) Code
	// Release gives back what Next took: slots of host, target and device.
	Release(t *machine.Thread, cmd *Command)
	// Unblock sets the blocked counters of device, target and host to 0.
	Unblock(t *machine.Thread, cmd *Command)
	// End takes a finished request out of its queue's books, and gives the command
	// back to where commands come from.
	End(t *machine.Thread, cmd *Command)
	// Starved takes the next device that waits for a slot of the host or of its
	// target and may try again now, and enters its queue; nil ends the run.
	Starved(t *machine.Thread, run *Run) *Device

	// Requeue puts a released command back to the head of its queue.
	Requeue(t *machine.Thread, cmd *Command)
	// Block sets the blocked counter that a refusal's code stands for.
	Block(t *machine.Thread, dev *Device, code Code)
	// SetHostState stores a state with Host.StoreState, which may refuse it.
	SetHostState(t *machine.Thread, s HostState) error
	// SetDeviceState stores a state with Device.StoreState; a blocked one stops
	// the queue, any other starts it.
	SetDeviceState(t *machine.Thread, dev *Device, s DeviceState)
	// SelfBlock makes the host refuse everything, or ends that.
	SelfBlock(t *machine.Thread, on bool)
}

// HostLocker is a strategy with the lock that queuecommand relies on where the
// template says so. A driver whose own threads must hold it, too, takes it
// through [Host.LockHost].
type HostLocker interface {
	// LockHost takes the lock with interrupts off; UnlockHost gives it back and
	// turns them on.
	LockHost(t *machine.Thread)
	UnlockHost(t *machine.Thread)
}

// HasHostLock reports whether the host's strategy holds a lock of that kind
// around queuecommand: one that nobody needs is not there to be taken.
func (h *Host) HasHostLock() bool { return h.hostLocker() != nil }

// hostLocker is who has that lock; nil where nobody has.
func (h *Host) hostLocker() HostLocker {
	if !h.Template.NeedsHostLock {
		return nil
	}
	l, _ := h.strategy.(HostLocker)
	return l
}

// LockHost takes the host lock for a driver's own thread, and reports false
// where the strategy has none. UnlockHost gives it back.
func (h *Host) LockHost(t *machine.Thread) bool {
	l := h.hostLocker()
	if l != nil {
		l.LockHost(t)
	}
	return l != nil
}

func (h *Host) UnlockHost(t *machine.Thread) bool {
	l := h.hostLocker()
	if l != nil {
		l.UnlockHost(t)
	}
	return l != nil
}

// StrategyInfo registers a strategy.
type StrategyInfo struct {
	Name    string // with hyphens; LookupStrategy takes underscores as well
	Aliases []string
	About   string // one line

	// HostLockSections is how often a command takes one lock of the whole host,
	// four in 2.6.35; 0 is never, or around queuecommand alone.
	HostLockSections int
	// DropsHostLock says that this lock is let go of before queuecommand: no
	// experiment runs it under a driver that relies on the lock there.
	DropsHostLock bool
	// KeepsStarvedList says that starved devices wait in a list as 2.6.35 kept
	// it, and so with its mistake, where Host.HistoricTargetBug asks for that.
	KeepsStarvedList bool
	// Locks are the classes of its locks but the host lock, each of which can be
	// given an algorithm by its name.
	Locks []string
	// Kernel is the version that it is the locking of, such as "4.2"; "" is one
	// before 4.2, as all of the published cases are. It decides which algorithm
	// spinlocks have where nobody chooses.
	Kernel string
	// Recovers says that what New makes is a [Recoverer].
	Recovers bool

	// New makes the strategy of one host, whose targets and devices are there
	// already. Errors say why the strategy cannot run such a host.
	New func(h *Host) (Strategy, error)
}

var strategyNames registry[StrategyInfo]

// RegisterStrategy makes a strategy known by its name, as database/sql drivers
// are; it panics where the name is taken. Call it from init.
func RegisterStrategy(info StrategyInfo) {
	if info.New == nil {
		panic("dispatch: strategy " + info.Name + " has no New")
	}
	strategyNames.add("strategy", info.Name, info.Aliases, info)
}

// Strategies lists what is registered, in order of registration.
func Strategies() []StrategyInfo { return strategyNames.list() }

// LookupStrategy finds a strategy by name or alias, in either spelling; its
// error names the legal ones.
func LookupStrategy(name string) (StrategyInfo, error) {
	return strategyNames.find("strategy", name)
}

// Recoverer is a strategy under which errors can be handled. What it adds
// belongs to whatever protects the strategy's count of a host's commands
// (host_busy): the handler may only run when every command that is outstanding
// has failed.
//
// Such a strategy asks [Host.Failing] whenever it has given a slot of the host
// back, in Release and wherever it gives back one that it did not use, and calls
// [Host.WakeHandler] where as many slots are taken as commands have failed.
//
// Its driver may lower can_queue while it judges a timeout: such a strategy
// reads [Host.CanQueue] wherever it looks for a slot, and not the template's
// value once and for all.
type Recoverer interface {
	Strategy
	// Fail calls Host.AddFailed, and wakes the handler where that makes the
	// host quiet. It reports what AddFailed did.
	Fail(t *machine.Thread, cmd *Command) bool
	// Quiet reports whether as many slots of the host are taken as commands
	// have failed (host_busy == host_failed). It must not say so while another
	// command is outstanding.
	Quiet(t *machine.Thread) bool
}
