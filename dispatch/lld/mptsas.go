package lld

import (
	"fmt"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// mptsas: an LSI Fusion-MPT SAS adapter as Linux 2.6.35 drove it, with SSDs
// behind it. Template values are those of its source [S35]: frames of 128
// bytes, request depth at most 1023, can_queue the lesser of that less 10 and
// 127, 128 scatter/gather entries, 8192 sectors, cmd_per_lun 7, raised to 64
// when a device with tagged queuing is configured; clustering, no id of its
// own. It has locks for everything it shares, and so does not need the host's:
// the published patch sets unlocked_qcmds for it.
func init() {
	var specs []param.Spec
	dur := func(name, def, about, source string) {
		specs = append(specs, param.Spec{Name: "mptsas." + name, Kind: param.Duration, Default: def, About: about, Source: source})
	}
	count := func(name, def string, min, max float64, about, source string) {
		specs = append(specs, param.Spec{Name: "mptsas." + name, Kind: param.Int, Default: def, Min: min, Max: max, About: about, Source: source})
	}
	const order = "order of magnitude [K]: no published figure"
	dur("queuecommand", "1us", "mean work of queuecommand for one segment, its locks and the doorbell apart",
		"driver facts: two short locks, 100 to 200 ns of frame building, dma_map: 0.5 to 1.5 us in all. The published host-lock table forces about 6 us, which an experiment must set as fitted")
	specs = append(specs, param.Spec{Name: "mptsas.queuecommand_cv", Kind: param.Float, Default: "0.3", Max: 10, About: "standard deviation over mean of that time (lognormal)", Source: "a choice: as the mid-layer's"})
	dur("sge", "15ns", "work for each further segment", order+"; 10 to 20 ns")
	dur("chain_frame", "75ns", "work for each chain frame, its lock apart", order+"; 50 to 100 ns")
	dur("mmio_write", "150ns", "posted write of the request's address to the adapter", order+"; 100 to 250 ns")
	dur("mmio_read", "700ns", "read of the reply FIFO in the interrupt handler, once a reply and once more that finds it empty", order+"; 0.5 to 1 us")
	dur("reply", "300ns", "work of the interrupt handler for a reply, its locks apart: dma_unmap, status", order)
	count("req_depth", "1023", 1, 1<<16, "message frames of the adapter", "S35: at most 1023")
	count("chain_frames", "1024", 0, 1<<20, "chain frames of the adapter", "assumed: enough for can_queue 127 at 64 segments")
	count("irq_core", "-1", -1, 4095, "core that the interrupt of host 0 goes to, the others spread from there; -1 spreads from core 0", "a choice: one vector an adapter, as irqbalance leaves it")
	dur("coalesce_time", "0", "how long the adapter may hold a reply's interrupt back; 0 does not", "a choice: off, the source does not give it")
	count("coalesce_depth", "4", 1, 1024, "replies that end such a delay", "a choice; matters only with coalesce_time")
	specs = append(specs, mediaParams("mptsas", "1.15ms", "the published 128 threads at 62.9 K IOPS take 2.03 ms a round; what is left of it in the throw-away model of the published table")...)
	specs = append(specs, recoveryParams("mptsas")...)

	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name:    "mptsas",
		Locks:   []string{"FreeQ", "lookup_lock"},
		About:   "Fusion-MPT SAS adapter with SSDs, as of 2.6.35: own locks, message and chain frames, interrupt that drains several replies",
		Section: "mptsas_qcmd",
		Template: dispatch.HostTemplate{
			CanQueue: 127, CmdPerLUN: 7, QueueDepth: 64, SGTableSize: 128, MaxSectors: 8192,
			MaxSegmentSize: 65536, DMABoundary: 0xffffffff, UseClustering: true, ThisID: -1,
		},
		Params: specs,
		LinkMB: 2400, LinkSource: "8 lanes of 3 Gbit/s, as LSI's SAS1068 has; SAS-1.1 codes 8 bits in 10, which leaves 300 MB/s a lane",
		New: newMPTSAS,
	})
}

// A frame of 128 bytes has a request of 48 bytes and scatter/gather elements
// of 12 (64-bit); where they do not fit, the last place links to a chain frame
// [S35, derived].
const (
	sgeInFrame = (128 - 48) / 12
	sgeInChain = 128 / 12
)

// chainFrames is how many chain frames a command of n segments needs.
func chainFrames(n int) int {
	if n <= sgeInFrame {
		return 0
	}
	n -= sgeInFrame - 1
	frames := 1
	for n > sgeInChain {
		n -= sgeInChain - 1
		frames++
	}
	return frames
}

type mptsas struct {
	h     *dispatch.Host
	media media
	*recovery
	queuecommand  cost.Cost
	sge, chain    time.Duration
	mmioWrite     time.Duration
	mmioRead      time.Duration
	reply         time.Duration
	coalesceTime  time.Duration
	coalesceDepth int64
	irqCore       int

	_       [64]byte
	freeQ   machine.SpinLock // FreeQlock
	free    []int32          // message frames
	chains  int              // free chain frames
	ioc     *machine.Line    // the adapter's own fields, under FreeQlock
	_       [64]byte
	look    machine.SpinLock // scsi_lookup_lock
	lookup  []*dispatch.Command
	table   *machine.Line
	_       [64]byte
	replies machine.Word // the reply FIFO: a stack of frames+1, of which the handler takes all
	frames  []mptFrame
	irq     machine.IRQ
	held    atomic.Int64 //lab:free the adapter counts, which is hardware: replies whose interrupt is held back
	timer   machine.Timer
}

type mptFrame struct {
	chains int
	next   uint32 //lab:free the reply FIFO is the adapter's, and mmioRead is what it costs
}

var secMPTInterrupt = machine.NewSection("mpt_interrupt")

func newMPTSAS(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
	m := h.Machine()
	d := &mptsas{
		h: h, media: newMedia("mptsas", h, p), recovery: newRecovery("mptsas", h, p),
		queuecommand: cost.New(machine.Dist{Mean: p.Duration("mptsas.queuecommand"), Shape: machine.Lognormal, CV: p.Float("mptsas.queuecommand_cv")}),
		sge:          p.Duration("mptsas.sge"), chain: p.Duration("mptsas.chain_frame"),
		mmioWrite: p.Duration("mptsas.mmio_write"), mmioRead: p.Duration("mptsas.mmio_read"), reply: p.Duration("mptsas.reply"),
		coalesceTime: p.Duration("mptsas.coalesce_time"), coalesceDepth: int64(p.Int("mptsas.coalesce_depth")),
		chains: p.Int("mptsas.chain_frames"),
		ioc:    machine.NewLine("mpt_ioc"), table: machine.NewLine("mpt_lookup"),
	}
	d.forget = d.forgetFrame
	base := p.Int("mptsas.irq_core")
	if base >= m.Cores() {
		return nil, param.Errorf("mptsas.irq_core", fmt.Sprintf("-1 to %d", m.Cores()-1), "mptsas.irq_core is %d", base)
	}
	d.irqCore = (max(base, 0) + h.ID*m.Cores()/h.HostCount()) % m.Cores()
	n := p.Int("mptsas.req_depth")
	d.frames = make([]mptFrame, n)
	d.lookup = make([]*dispatch.Command, n)
	for i := n - 1; i >= 0; i-- {
		d.free = append(d.free, int32(i))
	}
	d.freeQ.Init(m, "FreeQ")
	d.look.Init(m, "lookup_lock")
	d.replies.Init(machine.NewLine("reply_fifo"), 0)
	d.irq.Init(m, "mptsas", machine.Hard, d.interrupt)
	d.timer.Init(m, "coalesce", machine.Device, func(t *machine.Thread) { d.irq.Raise(t, d.irqCore) })
	return d, nil
}

// QueueCommand builds the message of a command and rings the doorbell
// (mptscsih_qcmd).
//
//go:noinline
func (d *mptsas) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if code := d.refuse(t); code != dispatch.Accepted {
		return code
	}
	rq := cmd.Request
	frame := d.getFrame(t)
	if frame < 0 {
		return dispatch.HostBusy
	}
	d.queuecommand.Spend(t)
	if rq.Segments > 1 {
		t.Work(time.Duration(rq.Segments-1) * d.sge)
	}
	fr := &d.frames[frame]
	fr.chains = 0
	for range chainFrames(rq.Segments) {
		if !d.getChain(t) {
			d.freeChains(t, fr)
			d.putFrame(t, frame)
			return dispatch.HostBusy
		}
		fr.chains++
		t.Work(d.chain)
	}
	cmd.HostData = int(frame)
	cmd.Result = d.result(t, cmd)
	off := t.IRQSave()
	d.look.Lock(t)
	t.Touch(d.table)
	d.lookup[frame] = cmd
	d.look.Unlock(t)
	t.IRQRestore(off)
	t.Work(d.mmioWrite)
	d.arm(t, cmd, d.media.takes(t, cmd))
	return dispatch.Accepted
}

// getFrame takes a message frame, or answers -1.
func (d *mptsas) getFrame(t *machine.Thread) int32 {
	off := t.IRQSave()
	d.freeQ.Lock(t)
	t.Touch(d.ioc)
	frame := int32(-1)
	if n := len(d.free); n > 0 {
		frame, d.free = d.free[n-1], d.free[:n-1]
	}
	d.freeQ.Unlock(t)
	t.IRQRestore(off)
	return frame
}

func (d *mptsas) putFrame(t *machine.Thread, frame int32) {
	off := t.IRQSave()
	d.freeQ.Lock(t)
	t.Touch(d.ioc)
	d.free = append(d.free, frame)
	d.freeQ.Unlock(t)
	t.IRQRestore(off)
}

// getChain takes one chain frame, under the same lock as message frames.
func (d *mptsas) getChain(t *machine.Thread) bool {
	off := t.IRQSave()
	d.freeQ.Lock(t)
	t.Touch(d.ioc)
	ok := d.chains > 0
	if ok {
		d.chains--
	}
	d.freeQ.Unlock(t)
	t.IRQRestore(off)
	return ok
}

// Expire is the adapter: a device has finished, the reply goes into the FIFO,
// and the interrupt is raised, or held back for a while.
func (d *mptsas) Expire(t *machine.Thread, cmd *dispatch.Command) {
	frame := cmd.HostData
	for {
		old := d.replies.Load(t)
		d.frames[frame].next = uint32(old)
		if d.replies.CAS(t, old, uint64(frame)+1) {
			break
		}
	}
	if d.coalesceTime > 0 {
		switch n := d.held.Add(1); {
		case n >= d.coalesceDepth:
		case n == 1:
			d.timer.Arm(t, d.coalesceTime)
			return
		default:
			return
		}
	}
	d.irq.Raise(t, d.irqCore)
}

// interrupt drains the reply FIFO until a read finds it empty
// (mpt_interrupt).
//
//go:noinline
func (d *mptsas) interrupt(t *machine.Thread) {
	t.Enter(secMPTInterrupt)
	for {
		t.Work(d.mmioRead)
		at := uint32(d.replies.Swap(t, 0))
		if at == 0 {
			break
		}
		var first uint32 // oldest first
		for at != 0 {
			fr := &d.frames[at-1]
			at, fr.next, first = fr.next, first, at
		}
		drained := int64(0)
		for first != 0 {
			if drained > 0 {
				t.Work(d.mmioRead)
			}
			frame := first - 1
			first = d.frames[frame].next
			d.complete(t, int32(frame))
			drained++
		}
		if d.coalesceTime > 0 {
			d.held.Add(-drained)
		}
	}
	t.Leave()
}

// complete ends one command (mptscsih_io_done).
func (d *mptsas) complete(t *machine.Thread, frame int32) {
	off := t.IRQSave()
	d.look.Lock(t)
	t.Touch(d.table)
	cmd := d.lookup[frame]
	d.lookup[frame] = nil
	d.look.Unlock(t)
	t.IRQRestore(off)
	t.Work(d.reply)
	cmd.Done(t)
	d.freeChains(t, &d.frames[frame])
	d.putFrame(t, frame)
}

// Service says what the devices did, for [dispatch.System.DeviceService].
func (d *mptsas) Service() tally.Service { return d.media.service() }
