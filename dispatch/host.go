package dispatch

import (
	"hostlock/machine"
	"hostlock/machine/layout"
)

// Host is one host adapter (struct Scsi_Host). What strategies guard of it,
// such as host_busy, is the strategy's; here is what never changes during a
// run, and the state.
type Host struct {
	ID       int
	Template HostTemplate // with the run's own values
	Targets  []*Target
	Devices  []*Device // in order of Device.Index

	// MaxDeviceBlocked and MaxTargetBlocked are what DeviceBusy and TargetBusy
	// set a blocked counter to; the host's own is in the template.
	MaxDeviceBlocked, MaxTargetBlocked int
	// MaxPhysSegments is the most segments that the mid-layer has tables for,
	// whatever the driver takes.
	MaxPhysSegments int
	// HistoricTargetBug asks for the over-admission of 2.6.35 to 2.6.37.
	HistoricTargetBug bool

	object       *layout.Object
	sys          *System
	strategy     Strategy
	strategyName string
	own          Strategy // as it was made, with nothing in between
	next         *Uses    // of its Next
	driver       Driver
	timed        timedDriver
	section      *machine.Section // of queuecommand
	costs        costs
	state        machine.Word
	commands     gauge
	held         occupancy
	boundary     machine.Line // stands for what counts commands with the driver
	limit        canQueue
	eh           *errorHandling // nil where errors are not handled
}

// Machine is what the host runs on.
func (h *Host) Machine() machine.Machine { return h.sys.m }

// Driver is the low-level driver's instance.
func (h *Host) Driver() Driver { return h.driver }

// Command finds a command by its index.
func (h *Host) Command(index uint32) *Command { return &h.sys.table.at(index).Cmd }

// State is the host's state, read as an unlocked reader reads it.
func (h *Host) State(t *machine.Thread) HostState { return HostState(h.state.Load(t)) }

// StoreState checks the transition and stores the new state. Strategies call
// it, inside whatever makes the change safe for them.
func (h *Host) StoreState(t *machine.Thread, s HostState) error {
	for {
		old := h.state.Load(t)
		if err := checkHostTransition(HostState(old), s); err != nil {
			return err
		}
		if h.state.CAS(t, old, uint64(s)) {
			return nil
		}
	}
}

// SetState changes the state of the host (scsi_host_set_state), and runs every
// queue where that lets commands start again (scsi_restart_operations). Its
// error names a transition that is not legal.
func (h *Host) SetState(t *machine.Thread, s HostState) error {
	if err := h.strategy.SetHostState(t, s); err != nil {
		return err
	}
	if s == HostRunning {
		h.RunAll(t)
	}
	return nil
}

// Block makes the host refuse every command until Unblock
// (scsi_block_requests, scsi_unblock_requests).
func (h *Host) Block(t *machine.Thread) { h.strategy.SelfBlock(t, true) }

// Unblock ends Block and runs every queue.
func (h *Host) Unblock(t *machine.Thread) {
	h.strategy.SelfBlock(t, false)
	h.RunAll(t)
}

// RunAll has kblockd run the queue of every device of the host
// (scsi_run_host_queues).
func (h *Host) RunAll(t *machine.Thread) {
	for _, d := range h.Devices {
		d.Kick(t)
	}
}

// Target is one target of a host (struct scsi_target).
type Target struct {
	Index    int // in its host
	Host     *Host
	CanQueue int // commands active at a time; 0 is unlimited
	Devices  []*Device

	object   *layout.Object
	commands gauge
	tasks    taskSet
}
