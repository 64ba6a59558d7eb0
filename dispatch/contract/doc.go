// Package contract says what a [dispatch.Strategy] must keep to. It has no code:
// lab verify and package strategies/strategytest check it. Package strategies has
// Base, Counted and Queues, which keep most of it; strategies/perqueue.go is a
// whole strategy to read, and examples/onelock one to begin with.
//
// # The path
//
// The flow is the kernel's and keeps its names: a request enters the queue of
// a device (dispatch.Issuer.Submit, __make_request), RequestFn takes it out
// as soon as device, target and host are ready, DispatchCmd hands it to
// the low-level driver, the driver's completion reaches the block softirq of
// the submitting core, DeviceUnbusy gives the slots back, and
// RunQueue restarts whoever was refused.
//
// What that path shares between cores is the strategy's: queues, busy
// and blocked counters, the starved list, the plug, and the locks or lock-free
// structures that guard them. dispatch takes no lock on the path. It charges
// the same work to every strategy, counts every command at the driver's boundary
// (System.Ledger, System.LimitViolations), and panics, naming the strategy, where
// one skips a charge. Each method is a verb, and may be called on any core, from
// threads and softirqs, for several devices at once.
//
// # Interrupts
//
// A strategy manages the interrupts of its core itself, through the thread; every
// verb is entered and left with them on, except between Enter (or Insert, or
// Starved) and Exit, where the queue is "entered": what that means is the
// strategy's own business, such as a held queue_lock. Completions come in a
// softirq and take the same locks: turn interrupts off ([machine.Thread.IRQSave])
// before [machine.SpinLock.Lock], and on again (IRQRestore(false)) after Unlock,
// as strategies.LockIRQ and UnlockIRQ do.
//
// # Work
//
// A strategy charges no time. It calls, exactly once a command and at the
// place where that work belongs, Host.ReadyBody in Next, Host.DispatchBody
// and Host.QueueCommand in Call, Host.UnbusyBody in Release, and once a
// run Host.RunQueueBody in Starved. The lab panics where one is left out.
//
// # Waiting and shared fields
//
// Locks are [machine.SpinLock], atomics [machine.Word]; a retry loop that waits
// for another thread calls [machine.Thread.Relax] in each turn. Verbs do not
// sleep: most run in softirqs. Nothing else may make a thread wait: under a
// sync.Mutex, a channel or a bare loop the simulated and the exploring machine
// stand still, since they do not see it. Plain fields that cores share lie on a
// line of [machine.NewLine], or, where they are the kernel's, of Host.Own,
// Target.Own or Device.Own, so that a layout can move them; a strategy announces a write of them by Touch, and a
// read by Look, each time after it took the lock that guards them. A field that
// is never announced is invisible to the search for races.
//
// Under a lock of the strategy's own it may call Device.Plug, Device.Unplug,
// Device.Kick, Host.NoConnect, Host.WakeHandler and the bodies; they
// call no verb. So may it Host.QueueCommand, where the driver relies on the lock.
//
// # Next, step by step
//
// Next takes a request all in one, since the hand-over between locks never lets
// go in between. A plugged, stopped or empty queue has none. For the request at
// the head, in this order:
//
//  1. Device.State.Verdict, of Command.Prepared and Request.Preempt. Defer: it
//     stays; plug if nothing of the device is outstanding.
//  2. Command.Prepare, unless it is Prepared. Where that says false, as for
//     Defer.
//  3. Where the verdict was Kill: take it out, take every slot that Release
//     gives back for it, call Host.NoConnect, go on with the next. It is
//     Release's business to tell such a command: by Command.Slots, or by taking
//     all three slots here.
//  4. The device: its blocked counter is 0, and it has fewer than
//     Device.Depth. Take the request out, and a slot.
//  5. The target: the same; where it refuses, the device starves.
//  6. The host: refused while Host.State.InRecovery, whose end runs every
//     queue; then its blocked counter, SelfBlock and Host.CanQueue; where
//     these refuse, the device starves.
//  7. Host.ReadyBody.
//
// What is refused in 5 or 6 gives back what it has, goes to the head again,
// and has its queue plugged if nothing of the device is outstanding. Without
// one lock over both, whoever starves looks for a slot again afterwards, and
// recovery is looked at after the slot was taken.
//
// # Call and Release
//
// Call gives the command its serial number (above 0, and no other's of the host
// that is outstanding), then Host.DispatchBody, then checks the host's state: where
// that is HostDel it completes the command with Host.NoConnect and answers
// Accepted, or else calls the driver with Host.QueueCommand and answers what that
// does. It does not touch an accepted command any more.
//
// Release comes in the submitting core's softirq, for a command that ended or is
// put back, in the dispatching thread for one that the driver refused, and in the
// error handler's. After Requeue and SelfBlock the path runs the queues.
//
// # Limits
//
// At most so many commands may have a slot at a time: Device.Depth of a device,
// Target.CanQueue of a target, and Host.CanQueue of a host; 0 or less is
// unlimited for the latter two. Depth and CanQueue change while the host runs: a
// strategy reads them wherever it looks for a slot, and not once and for all from
// Device.QueueDepth or Template.CanQueue, which are the most they can be.
//
// # A failed Take may make another fail
//
// A counter that is raised first and taken back where that was too much (3.17, and
// strategies.Counter) is exact for what it admits, but a core that fails may hide a
// free slot from another for a moment. With one slot, which A's command has, and
// devices b and c:
//
//	core 1 (b)                 core 2 (A ends)           core 3 (c)
//	Take: 2, too many
//	                           Give: 1 (b's)
//	                           Starved: nobody waits
//	                                                     Take: 2, too many
//	takes back: 1                                        takes back: 0
//	b is known as starved                                c is known as starved
//
// The slot is free, both wait, and nobody is left who would give anything back. So
// whoever fails looks once more (Limit.Full) after it has made known that it
// waits: here one of the two, or both, find the slot. And whoever gives back what it
// did not use looks afterwards for those who wait, as a completion does: nobody
// else knows (strategies.Counted.Retry). Either the one who gives back sees the
// device, or the one who waits sees the slot.
//
// # Starved
//
// Starved is called until it returns nil, and must come to that even if every
// device starves again meanwhile: take the whole list at the first call (Run.Head),
// or count how many it has given (Run.Left). Run.Started is false at the first
// call. A device that it does not give stays starved.
//
// # Blocked counters
//
// Host, target and device have one each. Block sets it: for HostBusy the host's to
// Template.MaxHostBlocked, for TargetBusy the target's to Host.MaxTargetBlocked, for
// DeviceBusy the device's to Host.MaxDeviceBlocked; EHRetry stands for none. While
// it is above 0, what it belongs to admits nothing. Unblock sets all three to 0.
// Since there may be no completion to come, Next counts one down by one where it
// asks it with nothing outstanding there: no command of that host, target or device
// but the one that asks. Where it is above 0 still, the device's queue is plugged,
// so that somebody asks again; at 0 the command goes on.
//
// # The restart invariant
//
// Whoever refuses a request sees to it that the queue is run later, because (a) a
// command of the same device is outstanding, whose completion runs it, or (b) the
// device is known as starved to every completion of the host, or (c) the queue is
// plugged (Device.Plug), which is due whenever nothing of the device is
// outstanding. A host in recovery, and a stopped queue, are run by whoever ends
// that.
//
// # The host lock, and errors
//
// A driver whose Template.NeedsHostLock is set relies on one lock of the host
// around its queuecommand: a strategy that has none takes one in Call, around
// QueueCommand alone, or refuses such hosts in its New. dispatch.HostLocker is for
// one that has such a lock anyhow. One that drops it says so in
// StrategyInfo.DropsHostLock. Where midlayer.error_handling asks for it, commands
// time out, and a thread a host (scsi_eh) sees to what failed, in the order of
// scsi_unjam_host: sense data, aborts, START UNIT, resets of device, target, bus
// and host, offline. It needs a strategy that is a dispatch.Recoverer and says so in
// StrategyInfo.Recovers; where it is not, all scenarios with timeouts are skipped.
//
// # What lab verify does not see
//
// Schedules have no time, so that verify does not see a Block that does nothing,
// an Unblock that leaves a counter set, or a depth that was lowered: strategytest
// does, which tells stories of them in virtual time.
// A lock or an atomic of Go's own beside an operation for show, a clock, or a plain
// field that no line is declared for is in the source alone: lab vet reads that.
// Nobody sees a serial number given twice. A race on plain fields that are never
// announced is for go test -race with strategytest, whose live loads have real
// threads.
//
// # What the path leaves out
//
// Since nothing here needs it: the elevator with its merges and its
// plugging of first requests, single_lun, requests that must fail fast,
// tmf_in_progress, reference counts, and the guard QUEUE_FLAG_REENTER, which
// deferring the run after a requeue to kblockd makes needless.
//
// Facts about the kernel are marked with the release whose source they were
// read in: S35 is 2.6.35.14, S30 is 3.0, S317 is 3.17.4; K is common
// knowledge that a parameter can change.
package contract

import (
	_ "hostlock/dispatch" // for the links
	_ "hostlock/machine"
)
