// Package dispatch is the SCSI mid-layer's way of a command, as Linux 2.6.35
// had it, with all synchronisation taken out and made a plug-in.
//
// The flow is the kernel's and keeps its names: a request enters the queue of
// a device ([Issuer.Submit], __make_request), [Device.RequestFn] takes it out
// as soon as device, target and host are ready, [Host.DispatchCmd] hands it to
// the low-level driver, the driver's completion reaches the block softirq of
// the submitting core, [Host.DeviceUnbusy] gives the slots back, and
// [Host.RunQueue] restarts whoever was refused.
//
// What that path shares between cores belongs to a [Strategy]: queues, busy
// and blocked counters, the starved list, and the locks or lock-free
// structures that guard them. dispatch takes no lock on the path. It charges
// the same work to every strategy (see [Host.ReadyBody] and its sisters),
// counts every command at the driver's boundary ([System.Ledger],
// [System.LimitViolations]), and panics, naming the strategy, where one skips
// a charge.
//
// Where midlayer.error_handling asks for it, commands time out, and a thread a
// host (scsi_eh) sees to what failed, in the order of scsi_unjam_host: sense data,
// aborts, START UNIT, resets of device, target, bus and host, offline. It needs a
// strategy that is a [Recoverer]; a driver takes part as an [Aborter], a [Resetter]
// and a [TimeoutDriver].
//
// Left out, since nothing here needs it: the elevator with its merges and its
// plugging of first requests, single_lun, requests that must fail fast,
// tmf_in_progress, reference counts, and the guard QUEUE_FLAG_REENTER, which
// deferring the run after a requeue to kblockd makes needless.
//
// Facts about the kernel are marked with the release whose source they were
// read in: S35 is 2.6.35.14, S30 is 3.0, S317 is 3.17.4; K is common
// knowledge that a parameter can change.
package dispatch
