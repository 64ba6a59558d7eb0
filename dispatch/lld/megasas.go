package lld

import (
	"fmt"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/eh"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// megasas: an LSI MegaRAID SAS adapter emulated by QEMU (Hannes Reinecke's
// megasas 1.01 of 2010), as the guest's megaraid_sas drives it [S35], with the
// disks as a JBOD over TCM_Loop and a RAM disk. The template follows from what
// the firmware says of itself: sg_tablesize is max_sge, can_queue is the
// commands less 1 and less 32, max_sectors is what GET_INFO allows, clamped to
// what max_sge pages hold; cmd_per_lun 128, no id of its own.
//
// Its handlers are those of 2.6.35 [K]: resets of device, bus and host, and no
// abort. In the driver a reset waits for the firmware; here recovers_by says
// which of them helps. Its say in a timeout is in throttle.
//
// The emulator is hardware to the guest: one thread of the host that serves
// one command at a time.
func init() {
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name:    "megasas",
		Locks:   []string{"cmd_pool_lock"},
		About:   "emulated MegaRAID SAS adapter of 2010 with a RAM disk behind it: max_sge, max_cmds, frames of 64 bytes, JBOD",
		Section: "megasas_queue_command",
		Template: dispatch.HostTemplate{
			CanQueue: 967, CmdPerLUN: 128, SGTableSize: 80, MaxSectors: 640,
			MaxSegmentSize: 65536, DMABoundary: 0xffffffff, UseClustering: true, ThisID: -1,
		},
		Params:    append(append(megasasParams(), throttleParams("megasas")...), recoveryParams("megasas")...),
		Configure: configureMegasas,
		New:       newMegasas,
	})
}

func megasasParams() []param.Spec {
	d := func(name, def, about, source string) param.Spec {
		return param.Spec{Name: "megasas." + name, Kind: param.Duration, Default: def, About: about, Source: source}
	}
	n := func(name, def string, lo, hi float64, about, source string) param.Spec {
		return param.Spec{Name: "megasas." + name, Kind: param.Int, Default: def, Min: lo, Max: hi, About: about, Source: source}
	}
	const fitted = "no source gives it: an experiment fits it"
	return []param.Spec{
		n("max_sge", "80", 1, 255, "scatter/gather elements that the firmware takes a command", "the source: new default 80, firmware limit 255; the old constant was 8"),
		n("max_cmds", "1000", 1, 2048, "frames for commands that the firmware has", "the source: default 1000, at most 2048"),
		n("stripe_sectors", "128", 1, 1<<16, "GET_INFO: smallest stripe, in sectors", "64 KiB, a usual MegaRAID stripe [K]"),
		n("max_strips", "42", 1, 1<<16, "GET_INFO: strips an I/O", "a storcli dump of a real adapter: 42"),
		n("max_request_sectors", "8192", 1, 1<<16, "GET_INFO: largest request, in sectors", "the same dump: 8192 sectors"),
		{Name: "megasas.clamp", Kind: param.Bool, Default: "true", About: "the driver clamps max_sectors to what max_sge pages hold", Source: "S35 does, S20 did not: limits that do not compose"},
		{Name: "megasas.sge", Kind: param.Choice, Default: "sge64", Choices: []string{"sge32", "sge64", "ieee"}, About: "kind of scatter/gather element: 8, 12 or 16 bytes", Source: "a choice: a 64-bit guest; whether its driver knows the 16-byte kind is in doubt"},
		{Name: "megasas.jbod", Kind: param.Bool, Default: "true", About: "disks are passed through (DCDB frames), and not made into logical drives (LDIO frames)", Source: "the source: JBOD mode"},
		d("queuecommand", "1.5us", "guest's work of queuecommand for one element, its lock apart", "as lpfc: the upper end of 0.5 to 1.5 us"),
		d("element", "15ns", "guest's work for each further element", "as mptsas: 10 to 20 ns [K]"),
		d("doorbell", "5us", "guest's processor lost to the write of the frame's address: an exit to the host and back", "order of magnitude of an MMIO exit through QEMU in 2010; no source gives it"),
		d("reply", "2us", "guest's work of the interrupt handler for a reply, its lock apart", "order of magnitude [K]: no published figure"),
		d("host_command", "29us", "emulator's time for a command: frame, hand-over to the target, interrupt", fitted),
		d("host_element", "214ns", "emulator's time for each element: mapping guest memory", fitted),
		d("disk_mb", "81us", "emulator's time for each MiB moved by the RAM disk", "the published bare-metal rate, 12900 MB/s"),
		n("over_elements", "28", 0, 1<<16, "elements above which a command takes longer", "the source: performance drops above 28; its cause was not found"),
		d("over_cost", "131ns", "further time above that, times the square of the elements", fitted+"; the cause is unknown, and the square is a description"),
	}
}

// configureMegasas is the driver asking its firmware (GET_INFO).
func configureMegasas(ht *dispatch.HostTemplate, p *param.Set) error {
	sge := p.Int("megasas.max_sge")
	ht.SGTableSize = sge
	ht.CanQueue = max(p.Int("megasas.max_cmds")-1-32, 1)
	ht.MaxSectors = min(p.Int("megasas.stripe_sectors")*p.Int("megasas.max_strips"), p.Int("megasas.max_request_sectors"))
	if p.Bool("megasas.clamp") {
		ht.MaxSectors = min(ht.MaxSectors, sge*4096/dispatch.SectorSize)
	}
	return nil
}

// mfiFrame is the size of a frame, and mfiTold the largest count of frames that
// the word written to the doorbell has room for.
const (
	mfiFrame = 64
	mfiTold  = 8
)

// sgeSizes are bytes of an element, and how many a first frame holds of a
// logical drive's command and of one passed through [S35].
var sgeSizes = map[string]struct{ bytes, ldio, dcdb int }{
	"sge32": {8, 3, 2}, "sge64": {12, 2, 1}, "ieee": {16, 1, 1},
}

// mfiFrames is how many frames a command of n elements takes.
func mfiFrames(n, size, first int) int {
	if n <= first {
		return 1
	}
	return 1 + ((n-first)*size+mfiFrame-1)/mfiFrame
}

type megasas struct {
	adapter
	h *dispatch.Host
	*recovery
	queuecommand cost.Cost
	element      time.Duration
	doorbell     time.Duration
	work         time.Duration
	size, first  int // of elements, and how many the first frame holds
	host         *emulator
	frames, told count
	over         count // commands above the threshold
	throttle     *throttle
}

func newMegasas(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
	kind := sgeSizes[p.Choice("megasas.sge")]
	d := &megasas{
		h: h, recovery: newRecovery("megasas", h, p),
		queuecommand: cost.New(machine.Dist{Mean: p.Duration("megasas.queuecommand"), Shape: machine.Lognormal, CV: 0.3}),
		element:      p.Duration("megasas.element"), doorbell: p.Duration("megasas.doorbell"), work: p.Duration("megasas.reply"),
		size: kind.bytes, first: kind.ldio, host: newEmulator(h, p),
	}
	if p.Bool("megasas.jbod") {
		d.first = kind.dcdb
	}
	d.only(eh.DeviceReset, eh.BusReset, eh.HostReset)
	d.throttle = newThrottle(h, p)
	d.forget = d.forgetSlot
	d.init(h, "cmd_pool_lock", "megasas_isr", p.Int("megasas.max_cmds"), d.done)
	return d, nil
}

//go:noinline
func (d *megasas) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if code := d.refuse(t); code != dispatch.Accepted {
		return code
	}
	slot := d.get(t, cmd)
	if slot < 0 {
		return dispatch.HostBusy
	}
	n := cmd.Request.Segments
	d.queuecommand.Spend(t)
	if n > 1 {
		t.Work(time.Duration(n-1) * d.element)
	}
	if d.h.InWindow() {
		frames := mfiFrames(n, d.size, d.first)
		d.frames.add(frames)
		d.told.add(min(frames, mfiTold))
		if n > d.host.over {
			d.over.add(1)
		}
	}
	cmd.HostData = int(slot)
	cmd.Result = d.result(t, cmd)
	t.Work(d.doorbell)
	d.arm(t, cmd, d.host.takes(t, cmd.Request))
	return dispatch.Accepted
}

// Expire is as [dispatch.Driver] says: the emulator has answered.
func (d *megasas) Expire(t *machine.Thread, cmd *dispatch.Command) { d.post(t, int32(cmd.HostData)) }

// done ends one command (megasas_complete_cmd).
func (d *megasas) done(t *machine.Thread, slot int32) {
	cmd := d.put(t, slot)
	t.Work(d.work)
	d.throttle.done(t, &d.adapter)
	cmd.Done(t)
}

// TimedOut is as [dispatch.Driver] says (megasas_reset_timer).
func (d *megasas) TimedOut(t *machine.Thread, cmd *dispatch.Command) eh.Answer {
	return d.throttle.timedOut(t, cmd)
}

// Counts is as [dispatch.Driver] says.
func (d *megasas) Counts() []tally.DriverCount {
	return []tally.DriverCount{
		{Name: "megasas.frames", Value: d.frames.n.Load()}, {Name: "megasas.frames_told", Value: d.told.n.Load()},
	}
}

// Notes is as [dispatch.Driver] says.
func (d *megasas) Notes() []string {
	if d.over.n.Load() == 0 {
		return nil
	}
	return []string{fmt.Sprintf("commands of more than %d elements take longer here because they did in the source; the cause is unknown, and the cost a parameter (megasas.over_cost). Candidates: the guest driver's table of 28; a frame count that saturates at 8", d.host.over)}
}

// Service says what the emulator did, for [dispatch.System.DeviceService].
func (d *megasas) Service() tally.Service { return d.host.service() }
