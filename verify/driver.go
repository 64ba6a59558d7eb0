package verify

import (
	"sync"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
	"hostlock/machine/param"
)

// DriverName is the name under which the package's own driver is registered.
const DriverName = "verify"

const source = "a choice: what a strategy must stand"

func init() {
	rate := func(name, def, about string) param.Spec {
		return param.Spec{Name: "verify." + name, Kind: param.Float, Default: def, Max: 1, About: about, Source: source}
	}
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name:    DriverName,
		About:   "refuses, fails and completes commands in every way and context: for lab verify",
		Section: "verify_queuecommand",
		Template: dispatch.HostTemplate{
			CanQueue: 2, CmdPerLUN: 2, SGTableSize: 128, MaxSectors: 1024,
			MaxSegmentSize: 65536, DMABoundary: 0xffffffff, ThisID: -1,
		},
		Params: []param.Spec{
			rate("inline_rate", "0.2", "share of commands completed within queuecommand"),
			rate("device_rate", "0.4", "share completed beside the cores; the rest by a hardware interrupt"),
			rate("busy_rate", "0", "share of queuecommand calls refused, with each of the four codes alike"),
			rate("retry_rate", "0", "share of commands completed with an error that is tried again, or with TASK SET FULL"),
			rate("error_rate", "0", "share completed with a medium error, which fails"),
			rate("sense_rate", "0", "share completed with a unit attention or a medium error, without the sense data, for which the error handler asks"),
			rate("drop_rate", "0", "share never completed"),
			rate("stubborn_rate", "0", "share of aborts that the driver refuses; it keeps the command"),
			{Name: "verify.throttle", Kind: param.Int, Default: "0", Max: 1 << 20, About: "what can_queue is lowered to now and then when a command times out, until some later completion; 0 leaves it", Source: source},
			{Name: "verify.abort", Kind: param.Choice, Default: "sound", Choices: []string{"sound", "hasty"}, About: "hasty: an abort says that a command is gone which the driver is just completing", Source: source},
			{Name: "verify.silent", Kind: param.Bool, Default: "false", About: "keep no book of commands, which allocates", Source: source},
			{Name: "verify.latency", Kind: param.Duration, Default: "20us", About: "mean time that a device needs for a command", Source: source},
		},
		New: newDriver,
	})
}

// driver is a low-level driver that does whatever the mid-layer must stand. It
// reports what it is given to an observer.
type driver struct {
	h                    *dispatch.Host
	inline, device, busy float64
	retry, fail          float64
	sense, drop          float64
	stubborn             float64
	throttle             int
	hasty                bool
	latency              cost.Cost
	irq                  machine.IRQ
	see                  *observer
	silent               bool
	inside               machine.Word // cores in queuecommand, where it relies on the host lock

	mu      sync.Mutex // never waited for but on the live machine
	holding bool       // what comes is kept, in held
	held    []*dispatch.Command
	low     bool // can_queue is lowered
	posted  [][]*dispatch.Command
	lines   []machine.Line // each stands for what is posted for a core
}

// How a command is completed: kept in its HostData.
const (
	byDevice = iota
	byInterrupt
)

func newDriver(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
	f := func(name string) float64 { return p.Float("verify." + name) }
	d := &driver{
		h: h, inline: f("inline_rate"), device: f("device_rate"),
		silent: p.Bool("verify.silent"),
		busy:   f("busy_rate"), retry: f("retry_rate"), fail: f("error_rate"), sense: f("sense_rate"), drop: f("drop_rate"), stubborn: f("stubborn_rate"),
		throttle: p.Int("verify.throttle"), hasty: p.Choice("verify.abort") == "hasty",
		latency: cost.New(machine.Dist{Mean: p.Duration("verify.latency"), Shape: machine.Exponential}),
		see:     new(observer),
		posted:  make([][]*dispatch.Command, h.Machine().Cores()),
		lines:   make([]machine.Line, h.Machine().Cores()),
	}
	d.inside.Init(machine.NewLine("verify_inside"), 0)
	d.irq.Init(h.Machine(), "verify_isr", machine.Hard, d.interrupt)
	return d, nil
}

// refusals are the answers of a busy driver; the path takes EHRetry, which no
// driver should give, for HostBusy.
var refusals = [...]dispatch.Code{dispatch.HostBusy, dispatch.DeviceBusy, dispatch.TargetBusy, dispatch.EHRetry}

//go:noinline
func (d *driver) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if d.h.Template.NeedsHostLock {
		if d.inside.Add(t, 1) > 1 {
			d.see.report("two cores are in the queuecommand of a driver that relies on the host lock")
		}
		defer d.inside.Dec(t)
	}
	booked := d.booked(cmd)
	if booked {
		d.see.given(t, cmd)
	}
	if d.kept(cmd) {
		if booked {
			d.see.accepted(t, cmd)
		}
		cmd.Result = scsi.Result{}
		return dispatch.Accepted
	}
	if d.busy > 0 && t.Rand().Float64() < d.busy {
		if booked {
			d.see.taken(t, cmd)
		}
		return refusals[t.Rand().IntN(len(refusals))]
	}
	if booked {
		d.see.accepted(t, cmd)
	}
	cmd.Result = scsi.Result{}
	if !cmd.Request.Op.OfHandler() {
		if d.drop > 0 && t.Rand().Float64() < d.drop {
			cmd.Lost = true
			return dispatch.Accepted
		}
		cmd.Result = d.result(t)
	}
	x := 0.0
	if d.inline+d.device > 0 {
		x = t.Rand().Float64()
	}
	if x < d.inline {
		d.complete(t, cmd)
		return dispatch.Accepted
	}
	cmd.HostData = byInterrupt
	if x < d.inline+d.device {
		cmd.HostData = byDevice
	}
	cmd.Arm(t, d.latency.Draw(t.Rand()))
	return dispatch.Accepted
}

func (d *driver) result(t *machine.Thread) scsi.Result {
	if d.sense > 0 && t.Rand().Float64() < d.sense {
		key := scsi.UnitAttention
		if t.Rand().IntN(4) == 0 {
			key = scsi.MediumError
		}
		return scsi.Result{Status: scsi.CheckCondition, Sense: key, NoSenseData: true}
	}
	if d.retry+d.fail == 0 {
		return scsi.Result{}
	}
	x := t.Rand().Float64()
	switch {
	case x < d.retry/2:
		return scsi.Result{Host: scsi.DidSoftError}
	case x < d.retry:
		return scsi.Result{Status: scsi.TaskSetFull}
	case x < d.retry+d.fail:
		return scsi.Result{Status: scsi.CheckCondition, Sense: scsi.MediumError}
	}
	return scsi.Result{}
}

func (d *driver) complete(t *machine.Thread, cmd *dispatch.Command) {
	if d.booked(cmd) {
		d.see.done(t, cmd)
	}
	d.widen(t)
	cmd.Done(t)
}

// Expire is as [dispatch.Driver] says: the device is done with a command.
func (d *driver) Expire(t *machine.Thread, cmd *dispatch.Command) {
	if cmd.HostData == byDevice {
		d.complete(t, cmd)
		return
	}
	core := cmd.Core()
	d.mu.Lock()
	t.Note(&d.lines[core])
	d.posted[core] = append(d.posted[core], cmd)
	d.mu.Unlock()
	d.irq.Raise(t, core)
}

// interrupt is the interrupt service routine: it completes what was posted.
func (d *driver) interrupt(t *machine.Thread) {
	for {
		d.mu.Lock()
		t.Note(&d.lines[t.Core()])
		q := d.posted[t.Core()]
		if len(q) == 0 {
			d.mu.Unlock()
			return
		}
		cmd := q[0]
		d.posted[t.Core()] = append(q[:0], q[1:]...)
		d.mu.Unlock()
		d.complete(t, cmd)
	}
}
