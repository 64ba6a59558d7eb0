package dispatch

import "hostlock/machine"

// The sections of the path, in the kernel's spelling: the label "section" of
// every profile.
var (
	secMakeRequest  = machine.NewSection("__make_request")
	secRequestFn    = machine.NewSection("scsi_request_fn")
	secDispatchCmd  = machine.NewSection("scsi_dispatch_cmd")
	secDeviceUnbusy = machine.NewSection("scsi_device_unbusy")
	secRunQueue     = machine.NewSection("scsi_run_queue")
	secQueueInsert  = machine.NewSection("scsi_queue_insert")
	secSoftirq      = machine.NewSection("blk_done_softirq")
	secSoftirqDone  = machine.NewSection("scsi_softirq_done")
	secFinish       = machine.NewSection("scsi_finish_command")
	secIOCompletion = machine.NewSection("scsi_io_completion")
	secKblockd      = machine.NewSection("kblockd")
)
