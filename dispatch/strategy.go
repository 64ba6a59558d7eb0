package dispatch

import "hostlock/machine"

// Strategy owns all synchronisation of one host's path, and the state that it
// protects: the queue of every device, busy and blocked counters, the starved
// list, the plug. Each method is a verb for one thing that the path must do to
// that state. A strategy manages the interrupts of its core itself, through
// the thread; every method is entered and left with them on, except between
// Enter (or Insert, or Starved) and Exit, where the queue is "entered": what
// that means is the strategy's own business, such as a held queue_lock.
//
// A strategy charges no time. It calls, exactly once a command and at the
// place where that work belongs, [Host.ReadyBody] in Next, [Host.DispatchBody]
// and [Host.QueueCommand] in Call, [Host.UnbusyBody] in Release, and once a
// run [Host.RunQueueBody] in Starved. It announces every plain field that
// cores share with Touch or Look on a line that it declares.
//
// A driver may change can_queue while it runs ([Host.SetCanQueue]), where errors
// are handled: a strategy reads [Host.CanQueue] wherever it looks for a slot.
//
// The restart invariant: whoever refuses a request sees to it that the queue
// is run later, because (a) a command of the same device is outstanding, whose
// completion runs it, or (b) the device is known as starved to every
// completion of the host, or (c) the queue is plugged ([Device.Plug]), which
// is due whenever nothing of the device is outstanding.
type Strategy interface {
	// Insert puts a request at the tail of its device's queue (in front where
	// it is marked Preempt), takes a plug off, and enters the queue.
	Insert(t *machine.Thread, rq *Request)
	// Enter enters a device's queue to run it, taking a plug off. It reports
	// false, and does not enter, where there is nothing to run: the queue is
	// empty or stopped, or whoever runs it already will see to the rest.
	Enter(t *machine.Thread, dev *Device) bool
	// Next takes the next request that its device, target and host admit: peek,
	// state, device ready, start, hand over, target and host ready, all in one,
	// since the hand-over between locks never lets go in between. The queue is
	// left when it returns a command, and still entered when it returns nil.
	Next(t *machine.Thread, dev *Device) *Command
	// Back enters the queue again after a command of Next was dispatched. Where
	// that was refused, it plugs the queue if nothing of the device is
	// outstanding.
	Back(t *machine.Thread, dev *Device, refused bool)
	// Exit leaves an entered queue.
	Exit(t *machine.Thread, dev *Device)

	// Call gives the command its serial number, checks the host's state, and
	// calls the driver, or completes the command with Host.NoConnect where the
	// host is deleted.
	Call(t *machine.Thread, cmd *Command) Code

	// Release gives the slots of a command back: host, target and device.
	Release(t *machine.Thread, cmd *Command)
	// Unblock ends the blocking of device, target and host, as every completion
	// does.
	Unblock(t *machine.Thread, cmd *Command)
	// End takes a finished request out of its queue's books.
	End(t *machine.Thread, cmd *Command)
	// Put gives the command back to where commands come from.
	Put(t *machine.Thread, cmd *Command)

	// Starved takes the next device that waits for a slot of the host or of its
	// target and may try again now, and enters its queue; nil when none is left
	// for this run. It is called until it returns nil.
	Starved(t *machine.Thread, run *Run) *Device

	// Requeue puts a command, whose slots have been released, back to the head
	// of its queue.
	Requeue(t *machine.Thread, cmd *Command)
	// Block sets the blocked counter that a code stands for; EHRetry stands for
	// none.
	Block(t *machine.Thread, dev *Device, code Code)

	// SetHostState stores a state, after checking the transition, with
	// Host.StoreState.
	SetHostState(t *machine.Thread, s HostState) error
	// SetDeviceState stores a state with Device.StoreState; a blocked one stops
	// the queue, any other starts it.
	SetDeviceState(t *machine.Thread, dev *Device, s DeviceState)
	// SelfBlock makes the host refuse everything, or ends that
	// (host_self_blocked).
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

// HasHostLock reports whether the host's strategy has a lock of that kind.
func (h *Host) HasHostLock() bool {
	_, ok := h.strategy.(HostLocker)
	return ok
}

// LockHost takes the host lock for a driver's own thread, and reports false
// where the strategy has none. UnlockHost gives it back.
func (h *Host) LockHost(t *machine.Thread) bool {
	l, ok := h.strategy.(HostLocker)
	if ok {
		l.LockHost(t)
	}
	return ok
}

func (h *Host) UnlockHost(t *machine.Thread) bool {
	l, ok := h.strategy.(HostLocker)
	if ok {
		l.UnlockHost(t)
	}
	return ok
}

// StrategyInfo registers a strategy.
type StrategyInfo struct {
	Name    string // with hyphens; LookupStrategy takes underscores as well
	Aliases []string
	About   string // one line
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
