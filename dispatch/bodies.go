package dispatch

import (
	"fmt"

	"hostlock/machine"
)

// Which of a command's bodies were charged.
const (
	chargedReady uint8 = 1 << iota
	chargedDispatch
	chargedUnbusy
	chargedCall
)

// ReadyBody is the work of scsi_request_fn's target and host checks. Next calls
// it once for a command that it returns.
func (h *Host) ReadyBody(t *machine.Thread, cmd *Command) {
	h.charge(cmd, chargedReady)
	h.costs.requestFn.Spend(t)
}

// DispatchBody is the work of scsi_dispatch_cmd: serial number and state
// check. Call calls it once, before it calls the driver.
func (h *Host) DispatchBody(t *machine.Thread, cmd *Command) {
	h.charge(cmd, chargedDispatch)
	h.costs.dispatchCmd.Spend(t)
}

// UnbusyBody is the work of scsi_device_unbusy. Release calls it once.
func (h *Host) UnbusyBody(t *machine.Thread, cmd *Command) {
	h.charge(cmd, chargedUnbusy)
	h.costs.deviceUnbusy.Spend(t)
}

// RunQueueBody is the work of scsi_run_queue. Starved calls it once a run, the
// first time it is called.
func (h *Host) RunQueueBody(t *machine.Thread, run *Run) {
	if run.charged {
		h.fault("charges scsi_run_queue twice in one run")
	}
	run.charged = true
	h.costs.runQueue.Spend(t)
}

func (h *Host) charge(cmd *Command, bit uint8) {
	if cmd.charged&bit != 0 {
		h.fault(fmt.Sprintf("charges %s twice for one command", bodyNames(bit)))
	}
	cmd.charged |= bit
}

// require panics where a command comes to a point without what it must have
// been charged by then: a strategy that skips work would win unfairly.
func (h *Host) require(cmd *Command, bits uint8, where string) {
	if missing := bits &^ cmd.charged; missing != 0 {
		h.fault(fmt.Sprintf("lets a command come to %s without the work of %s", where, bodyNames(missing)))
	}
}

func (h *Host) fault(what string) {
	panic("dispatch: strategy " + h.strategyName + " " + what)
}

func bodyNames(bits uint8) string {
	s := ""
	for i, n := range []string{"scsi_request_fn", "scsi_dispatch_cmd", "scsi_device_unbusy", "queuecommand"} {
		if bits&(1<<i) != 0 {
			if s != "" {
				s += ", "
			}
			s += n
		}
	}
	return s
}

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
