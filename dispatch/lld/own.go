package lld

import (
	"fmt"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// own is an adapter that parameters alone describe, for one that nobody has
// written: queuecommand works, part of it under locks of the driver's own, a
// device serves the command, and an interrupt on one of several vectors ends all
// that have gathered there.
func init() {
	dur := func(name, def, about string) param.Spec {
		return param.Spec{Name: "own." + name, Kind: param.Duration, Default: def, Max: float64(time.Second), About: about, Source: ownSource}
	}
	count := func(name, def string, min, max float64, about string) param.Spec {
		return param.Spec{Name: "own." + name, Kind: param.Int, Default: def, Min: min, Max: max, About: about, Source: ownSource}
	}
	specs := []param.Spec{
		dur("queuecommand", "1us", "mean work of queuecommand outside its locks"),
		dur("sge", "15ns", "work for each further segment"),
		dur("lock_hold", "200ns", "how long queuecommand holds the driver's lock; 0 takes none"),
		count("locks", "1", 1, 4096, "driver locks of a host: LUN i takes lock i modulo so many"),
		dur("doorbell", "150ns", "posted write to the adapter, outside the locks"),
		dur("interrupt", "700ns", "work of the interrupt handler each time that it runs"),
		dur("reply", "300ns", "its work for each command that it ends, outside the locks"),
		dur("reply_lock_hold", "100ns", "how long it holds the command's lock for that; 0 takes none"),
		count("replies", "0", 0, 1<<16, "commands that the handler ends at most before it returns and runs anew; 0 is all that are there"),
		count("vectors", "1", 1, 4096, "interrupt vectors, spread over the cores: a command ends on that of the core that submitted it"),
		dur("coalesce_time", "0", "how long the adapter may hold a vector's interrupt back; 0 does not"),
		count("coalesce_depth", "4", 1, 1024, "commands that end such a delay"),
		{Name: "own.cv", Kind: param.Float, Default: "0.3", Max: 10, About: "standard deviation over mean of queuecommand's work (lognormal)", Source: "a choice: as the mid-layer's"},
	}
	specs = append(specs, mediaParams("own", "1ms", ownSource)...)
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name:    "own",
		About:   "an adapter that parameters describe: template, times, driver locks and what is done under them, vectors, replies an interrupt",
		Section: "own_queuecommand",
		Template: dispatch.HostTemplate{
			CanQueue: 256, CmdPerLUN: 32, SGTableSize: 128, MaxSectors: 1024,
			MaxSegmentSize: 65536, DMABoundary: 0xffffffff, UseClustering: true, ThisID: -1,
		},
		Params: append(specs, recoveryParams("own")...),
		New:    newOwn,
	})
}

const ownSource = "a choice: say yours, and where it comes from"

type own struct {
	h     *dispatch.Host
	media media
	*recovery
	work                              cost.Cost
	sge, hold, doorbell, handler, end time.Duration
	endHold, coalesce                 time.Duration
	depth                             int64
	most                              int
	locks                             []ownLock
	vectors                           []ownVector
}

type ownLock struct {
	_    [64]byte
	lock machine.SpinLock
	line *machine.Line
	_    [64]byte
}

// ownVector is what has gathered for one interrupt: a stack of commands by their
// index, linked by HostData. The handler takes all of it, and keeps in left what it
// does not end at once.
type ownVector struct {
	_     [64]byte
	head  machine.Word
	held  machine.Word // hardware's own count of what waits for an interrupt
	left  uint32       //lab:free the handler's alone, which runs on one core
	irq   machine.IRQ
	timer machine.Timer
	core  int
	_     [64]byte
}

var secOwnInterrupt = machine.NewSection("own_interrupt")

func newOwn(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
	m := h.Machine()
	at := func(name string) time.Duration { return p.Duration("own." + name) }
	d := &own{
		h: h, media: newMedia("own", h, p), recovery: newRecovery("own", h, p),
		work: cost.New(machine.Dist{Mean: at("queuecommand"), Shape: machine.Lognormal, CV: p.Float("own.cv")}),
		sge:  at("sge"), hold: at("lock_hold"), doorbell: at("doorbell"), handler: at("interrupt"), end: at("reply"),
		endHold: at("reply_lock_hold"), coalesce: at("coalesce_time"),
		depth: int64(p.Int("own.coalesce_depth")), most: p.Int("own.replies"),
		locks: make([]ownLock, p.Int("own.locks")), vectors: make([]ownVector, p.Int("own.vectors")),
	}
	if n := len(d.vectors); n > m.Cores() {
		return nil, param.Errorf("own.vectors", fmt.Sprintf("1 to %d, the machine's cores", m.Cores()), "own.vectors is %d", n)
	}
	for i := range d.locks {
		d.locks[i].lock.Init(m, "own_lock")
		d.locks[i].line = machine.NewLine("own_data")
	}
	for i := range d.vectors {
		v := &d.vectors[i]
		v.head.Init(machine.NewLine("own_replies"), 0)
		v.held.Init(machine.NewLine("own_hardware"), 0)
		v.core = (i*m.Cores()/len(d.vectors) + h.ID*m.Cores()/h.HostCount()) % m.Cores()
		v.irq.Init(m, "own_interrupt", machine.Hard, func(t *machine.Thread) { d.interrupt(t, v) })
		v.timer.Init(m, "own_coalesce", machine.Device, func(t *machine.Thread) { v.irq.Raise(t, v.core) })
	}
	return d, nil
}

// under works under the lock of a command's device.
func (d *own) under(t *machine.Thread, cmd *dispatch.Command, hold time.Duration) {
	if hold == 0 {
		return
	}
	l := &d.locks[cmd.Device().Index%len(d.locks)]
	off := t.IRQSave()
	l.lock.Lock(t)
	t.Touch(l.line)
	t.Work(hold)
	l.lock.Unlock(t)
	t.IRQRestore(off)
}

//go:noinline
func (d *own) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if code := d.refuse(t); code != dispatch.Accepted {
		return code
	}
	d.work.Spend(t)
	if n := cmd.Request.Segments; n > 1 {
		t.Work(time.Duration(n-1) * d.sge)
	}
	d.under(t, cmd, d.hold)
	cmd.Result = d.result(t, cmd)
	t.Work(d.doorbell)
	d.arm(t, cmd, d.media.takes(t, cmd))
	return dispatch.Accepted
}

// Expire is the adapter: a device has finished.
func (d *own) Expire(t *machine.Thread, cmd *dispatch.Command) {
	v := &d.vectors[cmd.Core()*len(d.vectors)/d.h.Machine().Cores()]
	for {
		old := v.head.Load(t)
		cmd.HostData = int(old)
		if v.head.CAS(t, old, uint64(cmd.Index)) {
			break
		}
	}
	if d.coalesce > 0 {
		switch n := int64(v.held.Add(t, 1)); {
		case n >= d.depth:
		case n == 1:
			v.timer.Arm(t, d.coalesce)
			return
		default:
			return
		}
	}
	v.irq.Raise(t, v.core)
}

// interrupt ends what is there, oldest first.
//
//go:noinline
func (d *own) interrupt(t *machine.Thread, v *ownVector) {
	t.Enter(secOwnInterrupt)
	t.Work(d.handler)
	if d.coalesce > 0 {
		v.held.Swap(t, 0)
	}
	ended := 0
	for {
		if v.left == 0 {
			index := uint32(v.head.Swap(t, 0))
			for index != 0 {
				cmd := d.h.Command(index)
				next := uint32(cmd.HostData)
				cmd.HostData, v.left, index = int(v.left), index, next
			}
		}
		if v.left == 0 {
			break
		}
		if d.most > 0 && ended == d.most {
			v.irq.Raise(t, v.core)
			break
		}
		cmd := d.h.Command(v.left)
		v.left = uint32(cmd.HostData)
		d.under(t, cmd, d.endHold)
		t.Work(d.end)
		cmd.Done(t)
		ended++
	}
	t.Leave()
}

// Service says what the devices did, for [dispatch.System.DeviceService].
func (d *own) Service() tally.Service { return d.media.service() }
