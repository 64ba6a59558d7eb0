package lld

import (
	"strconv"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// tcm_loop: a loop-back host over a RAM disk, as of 3.0 [S30]: queuecommand
// takes no lock, hands the command to a thread of the target, and that thread
// moves the data and completes it: the lockless reference. Template values of
// the same source: can_queue 1024, cmd_per_lun 1024, 1024 sectors, 256
// scatter/gather entries. Its one handler is that of a device reset [K], which
// has the target end whatever it has of the LUN; aborts came later.
func init() {
	specs := []param.Spec{
		{Name: "tcm_loop.queuecommand", Kind: param.Duration, Default: "500ns", About: "work of queuecommand: allocate, queue, wake", Source: "a choice: a small allocation and a list entry"},
		{Name: "tcm_loop.command", Kind: param.Duration, Default: "2us", About: "work of the target's thread for a command, its data apart", Source: "assumed: decoding a command block and completing; no source gives it"},
		{Name: "tcm_loop.copy_mb", Kind: param.Duration, Default: "81us", About: "work of the target's thread for each MiB moved", Source: "the published 12900 MB/s of the bare-metal RAM disk, if its thread did nothing else"},
	}
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name:    "tcm_loop",
		Aliases: []string{"tcm-loop-ramdisk"},
		About:   "loop-back over a RAM disk, as of 3.0: no lock in queuecommand, completion from another thread",
		Section: "tcm_loop_queuecommand",
		Template: dispatch.HostTemplate{
			CanQueue: 1024, CmdPerLUN: 1024, SGTableSize: 256, MaxSectors: 1024,
			MaxSegmentSize: 65536, DMABoundary: 0xffffffff, UseClustering: true, ThisID: -1,
		},
		Params: append(specs, recoveryParams("tcm_loop")...),
		New:    newTCMLoop,
	})
}

type tcmLoop struct {
	*recovery
	work     time.Duration
	command  time.Duration
	copyMB   float64 // ns
	backends []tcmBackend
	disks    []*disk
}

// tcmBackend is the target's thread of one device, and what it is to do: a
// stack of command indices, of which it takes all.
type tcmBackend struct {
	_    [64]byte
	head machine.Word
	wake machine.Completion
	busy time.Duration //lab:free an instrument: what commands of the window needed; its thread's own
	n    int64         //lab:free an instrument
	_    [64]byte
}

var secTransport = machine.NewSection("transport_processing_thread")

func newTCMLoop(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
	m := h.Machine()
	d := &tcmLoop{
		recovery: newRecovery("tcm_loop", h, p).only(eh.DeviceReset), work: p.Duration("tcm_loop.queuecommand"),
		command: p.Duration("tcm_loop.command"), copyMB: float64(p.Duration("tcm_loop.copy_mb")),
		backends: make([]tcmBackend, len(h.Devices)),
	}
	for i, dev := range h.Devices {
		d.disks = append(d.disks, newDisk(dev.Capacity))
		b := &d.backends[i]
		b.head.Init(machine.NewLine("t_tasks"), 0)
		b.wake.Init()
		m.Go("LIO_rd_dr/"+strconv.Itoa(dev.ID), dev.ID%m.Cores(), true, func(t *machine.Thread) {
			for {
				b.wake.Wait(t)
				d.process(t, h, b)
			}
		})
	}
	return d, nil
}

//go:noinline
func (d *tcmLoop) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if code := d.refuse(t); code != dispatch.Accepted {
		return code
	}
	t.Work(d.work)
	cmd.Result = d.result(t, cmd)
	switch later, ok := d.answer(t, cmd, 0); {
	case ok && later > 0: // for the sake of a fault
		cmd.Arm(t, later)
	case ok:
		d.give(t, cmd)
	}
	return dispatch.Accepted
}

// Expire is as [dispatch.Driver] says, for commands that a fault delays.
func (d *tcmLoop) Expire(t *machine.Thread, cmd *dispatch.Command) { d.give(t, cmd) }

// give hands a command to the target's thread.
func (d *tcmLoop) give(t *machine.Thread, cmd *dispatch.Command) {
	b := &d.backends[cmd.Device().Index]
	for {
		old := b.head.Load(t)
		cmd.HostData = int(old)
		if b.head.CAS(t, old, uint64(cmd.Index)) {
			if old == 0 {
				// Whoever finds the stack not empty relies on who did.
				b.wake.Complete(t)
			}
			return
		}
	}
}

// process takes what is there, oldest first.
func (d *tcmLoop) process(t *machine.Thread, h *dispatch.Host, b *tcmBackend) {
	t.Enter(secTransport)
	index, first := uint32(b.head.Swap(t, 0)), uint32(0)
	for index != 0 {
		cmd := h.Command(index)
		next := uint32(cmd.HostData)
		cmd.HostData, first, index = int(first), index, next
	}
	for first != 0 {
		cmd := h.Command(first)
		first = uint32(cmd.HostData)
		work := d.command + time.Duration(d.copyMB*float64(cmd.Request.Bytes())/(1<<20))
		if h.InWindow() {
			b.busy += work
			b.n++
		}
		t.Work(work)
		moveData(d.disks[cmd.Device().Index], cmd)
		cmd.Done(t)
	}
	t.Leave()
}

// Service says what the target's threads did, each for a device and with one command
// at a time, for [dispatch.System.DeviceService].
func (d *tcmLoop) Service() tally.Service {
	s := tally.Service{Channels: 1}
	for i := range d.backends {
		s.Busy += d.backends[i].busy
		s.Commands += d.backends[i].n
	}
	return s
}
