// Package dispatch is the SCSI mid-layer's way of a command, as Linux 2.6.35
// had it, with all synchronisation taken out and made a plug-in: a [Strategy],
// registered by [RegisterStrategy]. Package dispatch/contract says what one must
// keep to, and package strategies has most of it to embed.
//
// A request enters the queue of a device ([Issuer.Submit]); [Device.RequestFn]
// takes it out as soon as device, target and host are ready; [Host.DispatchCmd]
// hands it to the [Driver]; its completion reaches the submitting core's softirq;
// [Host.DeviceUnbusy] gives the slots back, and [Host.RunQueue] restarts whoever
// was refused. What was left out, and where facts are from: dispatch/contract.
package dispatch
