package lld

import (
	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// null completes every command inside queuecommand, as scsi_debug does with
// delay=0: what is left is the mid-layer. Template values are scsi_debug's of
// 2.6.35 [K]: can_queue 255, cmd_per_lun 16, 256 scatter/gather entries.
func init() {
	specs := []param.Spec{{
		Name: "null.queuecommand", Kind: param.Duration, Default: "200ns",
		About: "work of queuecommand", Source: "a choice: a call that does next to nothing",
	}}
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name:    "null",
		About:   "completes at once, inside queuecommand, as scsi_debug does with delay=0",
		Section: "null_queuecommand",
		Template: dispatch.HostTemplate{
			CanQueue: 255, CmdPerLUN: 16, SGTableSize: 256, MaxSectors: 0xffff,
			MaxSegmentSize: 65536, DMABoundary: 0xffffffff, UseClustering: true, ThisID: 7,
		},
		Params: append(specs, recoveryParams("null")...),
		New: func(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
			return &null{
				recovery: newRecovery("null", h, p),
				work:     cost.New(machine.Dist{Mean: p.Duration("null.queuecommand"), Shape: machine.Fixed}),
			}, nil
		},
	})
}

type null struct {
	*recovery
	work cost.Cost
}

//go:noinline
func (d *null) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if code := d.refuse(t); code != dispatch.Accepted {
		return code
	}
	d.work.Spend(t)
	cmd.Result = d.result(t, cmd)
	switch later, ok := d.answer(t, cmd, 0); {
	case ok && later > 0: // for the sake of a fault
		cmd.Arm(t, later)
	case ok:
		cmd.Done(t)
	}
	return dispatch.Accepted
}

// Expire is as [dispatch.Driver] says, for commands that a fault delays.
func (d *null) Expire(t *machine.Thread, cmd *dispatch.Command) { cmd.Done(t) }

// Service says that there is no device, for [dispatch.System.DeviceService].
func (d *null) Service() tally.Service { return tally.Service{} }
