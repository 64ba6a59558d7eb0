package lld

import (
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// lpfc: an Emulex Fibre Channel adapter as Linux 2.6.20 drove it, with a DDN
// S2A9550 behind it. Template values are common knowledge of that driver [K]:
// lpfc_hba_queue_depth 8192 less 10, lpfc_lun_queue_depth 30, LPFC_SG_SEG_CNT
// 64 (the published test raised it to 1024), 65535 sectors, clustering. The
// driver's own lock stands for hbalock, which took the host lock's place in
// it in 2007 [K], so that queuecommand does not need the host's.
func init() {
	specs := []param.Spec{
		{Name: "lpfc.queuecommand", Kind: param.Duration, Default: "1.5us", About: "mean work of queuecommand for one segment, its lock apart", Source: "a choice: the upper end of the 0.5 to 1.5 us that driver facts suggest for mptsas"},
		{Name: "lpfc.sge", Kind: param.Duration, Default: "15ns", About: "work for each further segment: one buffer descriptor", Source: "as mptsas: 10 to 20 ns [K]"},
		{Name: "lpfc.reply", Kind: param.Duration, Default: "1us", About: "work of the interrupt handler for a reply, its lock apart", Source: "order of magnitude [K]: no published figure"},
	}
	specs = append(specs, arrayParams("lpfc")...)
	specs = append(specs, recoveryParams("lpfc")...)
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name:    "lpfc",
		Locks:   []string{"hbalock"},
		About:   "Emulex Fibre Channel adapter of 2.6.20, with a DDN S2A9550 array behind it",
		Section: "lpfc_queuecommand",
		Template: dispatch.HostTemplate{
			CanQueue: 8182, CmdPerLUN: 30, SGTableSize: 64, MaxSectors: 0xffff,
			MaxSegmentSize: 65536, DMABoundary: 0xffffffff, UseClustering: true, ThisID: -1,
		},
		Params: specs,
		New: func(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
			d := &lpfc{
				recovery: newRecovery("lpfc", h, p), array: newArray("lpfc", h, p),
				queuecommand: cost.New(machine.Dist{Mean: p.Duration("lpfc.queuecommand"), Shape: machine.Lognormal, CV: 0.3}),
				sge:          p.Duration("lpfc.sge"), work: p.Duration("lpfc.reply"),
			}
			slots := h.Template.CanQueue
			if slots <= 0 {
				slots = 8182
			}
			d.forget = d.forgetSlot
			d.init(h, "hbalock", "lpfc_intr_handler", slots, d.done)
			return d, nil
		},
	})
}

type lpfc struct {
	adapter
	*recovery
	array        array
	queuecommand cost.Cost
	sge, work    time.Duration
}

//go:noinline
func (d *lpfc) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if code := d.refuse(t); code != dispatch.Accepted {
		return code
	}
	slot := d.get(t, cmd)
	if slot < 0 {
		return dispatch.HostBusy
	}
	d.queuecommand.Spend(t)
	if n := cmd.Request.Segments; n > 1 {
		t.Work(time.Duration(n-1) * d.sge)
	}
	cmd.HostData = int(slot)
	cmd.Result = d.result(t, cmd)
	d.arm(t, cmd, d.array.takes(t, cmd))
	return dispatch.Accepted
}

// Expire is as [dispatch.Driver] says: the array has answered.
func (d *lpfc) Expire(t *machine.Thread, cmd *dispatch.Command) { d.post(t, int32(cmd.HostData)) }

// done ends one command (lpfc_scsi_cmd_iocb_cmpl).
func (d *lpfc) done(t *machine.Thread, slot int32) {
	cmd := d.put(t, slot)
	t.Work(d.work)
	cmd.Done(t)
}

// Service says what the devices did, for [dispatch.System.DeviceService].
func (d *lpfc) Service() tally.Service { return d.array.service() }
