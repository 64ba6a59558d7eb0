package dispatch

import "hostlock/machine"

// Run is the state of one call of RunQueue. Its exported fields are the
// strategy's.
type Run struct {
	Head    Node // of the devices that this run took from the starved list
	Started bool
	Left    int
	Again   bool

	charged bool
}

func (r *Run) init() { r.Head.InitHead() }

// RunQueue restarts every device that was refused a slot of the host or of its
// target, in the order in which they were, and then dev itself
// (scsi_run_queue) [S35]: the device that has just finished a command comes
// after those that starved.
//
//go:noinline
func (h *Host) RunQueue(t *machine.Thread, dev *Device, run *Run) {
	t.Enter(secRunQueue)
	run.Started, run.charged, run.Left, run.Again = false, false, 0, false
	s := h.strategy
	for d := s.Starved(t, run); d != nil; d = s.Starved(t, run) {
		d.RequestFn(t)
	}
	if !run.charged {
		h.fault("ends a run without the work of scsi_run_queue")
	}
	if s.Enter(t, dev) {
		dev.RequestFn(t)
	}
	t.Leave()
}
