package dispatch

import (
	"errors"

	"hostlock/machine"
)

// Strategy owns all synchronisation of one host's path, and the state that it
// protects: the queue of every device, busy and blocked counters, the starved
// list, the plug. Each method is a verb for one thing that the path must do to
// that state, and may be called on any core, from threads and softirqs, for
// several devices at once. strategies/perqueue.go, with queue.go, limit.go and
// starved.go beside it, is a whole one to read.
//
// # Interrupts
//
// A strategy manages the interrupts of its core itself, through the thread; every
// method is entered and left with them on, except between Enter (or Insert, or
// Starved) and Exit, where the queue is "entered": what that means is the
// strategy's own business, such as a held queue_lock. Completions come in a
// softirq and take the same locks: turn interrupts off ([machine.Thread.IRQSave])
// before [machine.SpinLock.Lock], and on again (IRQRestore(false)) after Unlock.
//
// # Work
//
// A strategy charges no time. It calls, exactly once a command and at the
// place where that work belongs, [Host.ReadyBody] in Next, [Host.DispatchBody]
// and [Host.QueueCommand] in Call, [Host.UnbusyBody] in Release, and once a
// run [Host.RunQueueBody] in Starved. The lab panics where one is left out.
//
// # Waiting and shared fields
//
// Locks are [machine.SpinLock], atomics [machine.Word]; a retry loop that waits
// for another thread calls [machine.Thread.Relax] in each turn. Verbs do not
// sleep: most run in softirqs. Nothing else may make a thread wait: under a
// sync.Mutex, a channel or a bare loop the simulated and the exploring machine
// stand still, since they do not see it. Plain fields that cores share lie on a
// line of [machine.NewLine]; a strategy announces a write of them by Touch, and a
// read by Look, each time after it took the lock that guards them. A field that
// is never announced is invisible to the search for races.
//
// Under a lock of the strategy's own it may call [Device.Plug], [Device.Unplug],
// [Device.Kick], [Host.NoConnect], [Host.WakeHandler] and the bodies; they
// call no verb. So may it [Host.QueueCommand], where the driver relies on the lock.
//
// # Limits
//
// At most so many commands may have a slot at a time: [Device.Depth] of a device,
// Target.CanQueue of a target, and [Host.CanQueue] of a host; 0 or less is
// unlimited for the latter two. Depth and CanQueue change while the host runs: a
// strategy reads them wherever it looks for a slot, and not once and for all from
// Device.QueueDepth or Template.CanQueue, which are the most they can be.
//
// # Blocked counters
//
// Host, target and device have one each. Block sets it: the host's to
// Template.MaxHostBlocked, the target's to Host.MaxTargetBlocked, the device's to
// Host.MaxDeviceBlocked. While it is above 0, what it belongs to admits nothing.
// Unblock sets all three to 0. Since there may be no completion to come, Next
// counts one down by one where it asks it with nothing outstanding there: no
// command of that host, target or device but the one that asks. Where it is above
// 0 still, the device's queue is plugged, so that somebody asks again; at 0 the
// command goes on.
//
// # The restart invariant
//
// Whoever refuses a request sees to it that the queue is run later, because (a) a
// command of the same device is outstanding, whose completion runs it, or (b) the
// device is known as starved to every completion of the host, or (c) the queue is
// plugged ([Device.Plug]), which is due whenever nothing of the device is
// outstanding. A host in recovery, and a stopped queue, are run by whoever ends
// that.
//
// # Other interfaces
//
// A driver whose Template.NeedsHostLock is set relies on one lock of the host
// around its queuecommand: a strategy that has none takes one in Call, around
// QueueCommand alone, or refuses such hosts in its New. [HostLocker] is for one
// that has such a lock anyhow. A strategy that is a [Recoverer] too can have
// errors handled; where it is not, all scenarios with timeouts are skipped.
//
// # What lab verify does not see
//
// Schedules have no time, so that verify does not see a Block that does nothing,
// an Unblock that leaves a counter set, or a depth that was lowered: strategytest
// does, which tells stories of them in virtual time.
// Nobody sees a serial number given twice. A race on plain fields that are never
// announced is for go test -race with strategytest, whose live loads have real
// threads.
type Strategy interface {
	// Insert puts a request at the tail of its device's queue (in front where
	// it is marked Preempt), takes a plug off, and enters the queue.
	Insert(t *machine.Thread, rq *Request)
	// Enter enters a device's queue to run it, taking a plug off. It reports
	// false, and does not enter, where there is nothing to run: the queue is
	// empty or stopped, or whoever runs it already will see to the rest.
	Enter(t *machine.Thread, dev *Device) bool
	// Next takes the next request that its device, target and host admit, all in
	// one, since the hand-over between locks never lets go in between. The queue
	// is left when it returns a command, and still entered when it returns nil. A
	// plugged, stopped or empty queue has none. For the request at the head, in
	// this order:
	//
	//  1. Device.State.Verdict, of Command.Prepared and Request.Preempt. Defer: it
	//     stays; plug if nothing of the device is outstanding.
	//  2. Command.Prepare, unless it is Prepared. Where that says false, as for
	//     Defer.
	//  3. Where the verdict was Kill: take it out, take every slot that Release
	//     gives back for it, call [Host.NoConnect], go on with the next. It is
	//     Release's business to tell such a command: by Command.Slots, or by taking
	//     all three slots here.
	//  4. The device: its blocked counter is 0, and it has fewer than
	//     [Device.Depth]. Take the request out, and a slot.
	//  5. The target: the same; where it refuses, the device starves.
	//  6. The host: refused while Host.State.InRecovery, whose end runs every
	//     queue; then its blocked counter, SelfBlock and [Host.CanQueue]; where
	//     these refuse, the device starves.
	//  7. [Host.ReadyBody].
	//
	// What is refused in 5 or 6 gives back what it has, goes to the head again,
	// and has its queue plugged if nothing of the device is outstanding. Without
	// one lock over both, whoever starves looks for a slot again afterwards, and
	// recovery is looked at after the slot was taken.
	Next(t *machine.Thread, dev *Device) *Command
	// Back enters the queue again after a command of Next was dispatched. Where
	// that was refused, it plugs the queue if nothing of the device is
	// outstanding.
	Back(t *machine.Thread, dev *Device, refused bool)
	// Exit leaves an entered queue.
	Exit(t *machine.Thread, dev *Device)

	// Call gives the command its serial number (above 0, and no other's of the
	// host that is outstanding), then [Host.DispatchBody], then checks the host's
	// state: where that is HostDel it completes the command with Host.NoConnect
	// and answers Accepted, or else calls the driver with Host.QueueCommand and
	// answers what that does. It does not touch an accepted command any more.
	Call(t *machine.Thread, cmd *Command) Code

	// Release gives the slots of a command back: host, target and device. It
	// comes in the submitting core's softirq, for a command that ended or is put
	// back, in the dispatching thread for one that the driver refused, and in the
	// error handler's.
	Release(t *machine.Thread, cmd *Command)
	// Unblock ends the blocking of device, target and host, as every completion
	// does.
	Unblock(t *machine.Thread, cmd *Command)
	// End takes a finished request out of its queue's books, and gives the command
	// back to where commands come from.
	End(t *machine.Thread, cmd *Command)

	// Starved takes the next device that waits for a slot of the host or of its
	// target and may try again now, and enters its queue; nil when none is left
	// for this run. It is called until it returns nil, and must come to that even
	// if every device starves again meanwhile: take the whole list at the first
	// call (Run.Head), or count how many it has given (Run.Left). Run.Started is
	// false at the first call. A device that it does not give stays starved.
	Starved(t *machine.Thread, run *Run) *Device

	// Requeue puts a command, whose slots have been released, back to the head
	// of its queue. The path runs the queue.
	Requeue(t *machine.Thread, cmd *Command)
	// Block sets the blocked counter that a code stands for: HostBusy, TargetBusy
	// or DeviceBusy. EHRetry stands for none.
	Block(t *machine.Thread, dev *Device, code Code)

	// SetHostState stores a state, after checking the transition, with
	// Host.StoreState.
	SetHostState(t *machine.Thread, s HostState) error
	// SetDeviceState stores a state with Device.StoreState; a blocked one stops
	// the queue, any other starts it.
	SetDeviceState(t *machine.Thread, dev *Device, s DeviceState)
	// SelfBlock makes the host refuse everything, or ends that
	// (host_self_blocked). The path runs the queues.
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

	// HostLockSections is how often a command takes one lock of the whole host,
	// four in 2.6.35; 0 is never, or around queuecommand alone.
	HostLockSections int
	// DropsHostLock says that this lock is let go of before queuecommand: no
	// experiment runs it under a driver that relies on the lock there.
	DropsHostLock bool
	// KeepsStarvedList says that starved devices wait in a list as 2.6.35 kept
	// it, and so with its mistake, where Host.HistoricTargetBug asks for that.
	KeepsStarvedList bool
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

// ErrNoRecoverer is why a strategy cannot run with midlayer.error_handling.
var ErrNoRecoverer = errors.New("it is no dispatch.Recoverer")

// RecoversError is a strategy that is a Recoverer and does not say so in
// StrategyInfo.Recovers, or says so and is none.
type RecoversError struct{ Says bool }

func (e *RecoversError) Error() string {
	if e.Says {
		return "StrategyInfo.Recovers is true, but what New made is no dispatch.Recoverer"
	}
	return "what New made is a dispatch.Recoverer, but StrategyInfo.Recovers is false"
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
