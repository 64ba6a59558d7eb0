package lld

import (
	"strconv"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/eh"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// ncr5380 is the driver core of mac_scsi and atari_scsi as of 2016: a lock and
// a list of unissued commands of its own, and a work item (NCR5380_main) that
// takes them one by one, since the bus carries one command at a time and the
// driver gives a LU one (its busy flags). queuecommand needs no host lock.
//
// The data phase is programmed I/O bound by the bus's handshake: the processor
// moves every byte, at the bus's pace. Completions are handed to ksoftirqd, as
// the kernel does with a softirq that is raised outside of an interrupt; it
// gets the processor when the scheduler lets it.
//
// Handlers of both [K]: NCR5380_abort, which takes a command out of the list, or
// away from a target that has let go of the bus, and NCR5380_bus_reset.
//
// Template values of both [published]: can_queue 16, cmd_per_lun 4 since that
// thread, this_id 7, clustering off; scatter/gather SG_ALL, 128 entries.
func init() {
	for _, d := range []struct{ name, about string }{
		{"mac_scsi", "NCR5380 of a Macintosh, as of 2016"},
		{"atari_scsi", "NCR5380 of an Atari, as of 2016"},
	} {
		dispatch.RegisterDriver(dispatch.DriverInfo{
			Name:    d.name,
			Locks:   []string{"hostdata_lock"},
			About:   d.about + ": own lock, work item NCR5380_main, one command a LU, programmed I/O",
			Section: "NCR5380_queue_command",
			Template: dispatch.HostTemplate{
				CanQueue: 16, CmdPerLUN: 4, SGTableSize: 128, MaxSectors: 1024,
				MaxSegmentSize: 65536, DMABoundary: 0xffffffff, UseClustering: false, ThisID: 7,
			},
			Params: append(ncrParams(d.name), recoveryParams(d.name)...),
			New: func(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
				return newNCR5380(d.name, h, p), nil
			},
		})
	}
}

// ncrParams are what both generations of the driver depend on. Processor times
// are those of a fast processor; an experiment on a slow one sets its own.
func ncrParams(driver string) []param.Spec {
	d := func(name, def, about, source string) param.Spec {
		return param.Spec{Name: driver + "." + name, Kind: param.Duration, Default: def, About: about, Source: source}
	}
	const small = "a choice: a few hundred instructions at most"
	return []param.Spec{
		d("queuecommand", "300ns", "work of queuecommand: the list entry, and queue_work", small),
		d("work_start", "1us", "work to start the work item: the worker's pool, the item's bookkeeping", "no source gives it: an experiment fits it"),
		d("work_stop", "1us", "work to end the work item, and to look for another", "no source gives it: an experiment fits it"),
		d("command", "1us", "work for a command besides its bytes: selection, command, status and message phase", small),
		d("target", "1ms", "time that the target takes to answer a command, polled for by the driver", "order of magnitude of a SCSI disk of the time that has the data in its buffer [K]"),
		d("byte", "800ns", "time of one byte on the bus, request and acknowledge: the disk's and the bus's, whatever the processor", "about 1.2 MB/s, an asynchronous bus with programmed I/O [K]"),
		{Name: driver + ".target_cv", Kind: param.Float, Default: "0.3", Max: 10, About: "standard deviation over mean of that time (lognormal)", Source: "assumed: no source gives it"},
		d("tick", "10ms", "the timer's tick: at the end of a command the work item lets others run if one has passed since it got the processor (cond_resched)", "HZ=100 on m68k; a kernel without preemption"),
		d("complete", "500ns", "work to complete a command: status, LU busy flag, scsi_done", small),
	}
}

type ncrCosts struct {
	queuecommand, start, stop, command, complete, tick time.Duration
	target                                             cost.Cost
	perByte                                            float64 // ns
}

func newNCRCosts(driver string, p *param.Set) ncrCosts {
	g := func(name string) time.Duration { return p.Duration(driver + "." + name) }
	return ncrCosts{
		queuecommand: g("queuecommand"), start: g("work_start"), stop: g("work_stop"), command: g("command"),
		target:   cost.New(machine.Dist{Mean: g("target"), Shape: machine.Lognormal, CV: p.Float(driver + ".target_cv")}),
		complete: g("complete"), tick: g("tick"), perByte: float64(g("byte")),
	}
}

type ncr5380 struct {
	h *dispatch.Host
	*recovery
	costs ncrCosts
	bus   ncrBus

	_        [64]byte
	lock     machine.SpinLock // hostdata->lock
	line     *machine.Line    // of what follows
	unissued []*dispatch.Command
	busy     []bool // by LU: it has a command
	queued   bool   // the work item is queued, or runs
	wake     machine.Completion
	_        [64]byte

	softirq ksoftirqd
	starts  count
}

var (
	secNCRMain    = machine.NewSection("NCR5380_main")
	secNCRNext    = machine.NewSection("dequeue_next_cmd")
	secNCRPoll    = machine.NewSection("NCR5380_poll_politely")
	secNCRData    = machine.NewSection("NCR5380_transfer_pio")
	secWorkStart  = machine.NewSection("process_one_work_start")
	secWorkFinish = machine.NewSection("process_one_work_finish")
)

func newNCR5380(driver string, h *dispatch.Host, p *param.Set) *ncr5380 {
	m := h.Machine()
	d := &ncr5380{h: h, recovery: newRecovery(driver, h, p).only(eh.CommandAbort, eh.BusReset), costs: newNCRCosts(driver, p), busy: make([]bool, len(h.Devices))}
	d.lock.Init(m, "hostdata_lock")
	d.line = machine.NewLine("hostdata")
	d.wake.Init()
	d.bus.init(h, d.recovery, &d.wake)
	d.forget = d.abort
	d.softirq.init(h)
	m.Go("kworker/"+strconv.Itoa(h.ID), h.ID%m.Cores(), true, func(t *machine.Thread) {
		for {
			d.wake.Wait(t)
			d.work(t)
		}
	})
	return d
}

// QueueCommand puts the command behind the others and queues the work item
// (NCR5380_queue_command).
//
//go:noinline
func (d *ncr5380) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if code := d.refuse(t); code != dispatch.Accepted {
		return code
	}
	cmd.Result = d.result(t, cmd)
	d.bus.draw(t, d.recovery, cmd)
	off := t.IRQSave()
	d.lock.Lock(t)
	t.Touch(d.line)
	t.Work(d.costs.queuecommand)
	d.unissued = append(d.unissued, cmd)
	first := !d.queued
	d.queued = true
	d.lock.Unlock(t)
	t.IRQRestore(off)
	if first {
		d.wake.Complete(t)
	}
	return dispatch.Accepted
}

// work is one run of the work item, with what it costs to start and end one.
func (d *ncr5380) work(t *machine.Thread) {
	d.costs.startWork(t)
	if d.h.InWindow() {
		d.starts.add(1)
	}
	d.main(t)
	d.costs.stopWork(t)
}

// startWork and stopWork are functions of their own so that a profile names
// them.
//
//go:noinline
func (c *ncrCosts) startWork(t *machine.Thread) {
	t.Enter(secWorkStart)
	t.Work(c.start)
	t.Leave()
}

//go:noinline
func (c *ncrCosts) stopWork(t *machine.Thread) {
	t.Enter(secWorkFinish)
	t.Work(c.stop)
	t.Leave()
}

// main takes commands as long as there are any whose LU is free
// (NCR5380_main).
//
//go:noinline
func (d *ncr5380) main(t *machine.Thread) {
	t.Enter(secNCRMain)
	since := t.Now()
	for {
		cmd := d.next(t)
		if cmd == nil {
			break
		}
		d.costs.transfer(t, cmd)
		off := t.IRQSave()
		d.lock.Lock(t)
		t.Touch(d.line)
		d.busy[cmd.Device().Index] = false
		d.lock.Unlock(t)
		t.IRQRestore(off)
		t.Work(d.costs.complete)
		d.softirq.done(t, cmd)
		if c := &d.costs; c.tick > 0 && t.Now()/c.tick != since/c.tick {
			t.Yield()
			since = t.Now()
		}
	}
	t.Leave()
}

// next takes the first command whose LU is free and marks that busy
// (dequeue_next_cmd); where there is none the work item is over.
func (d *ncr5380) next(t *machine.Thread) *dispatch.Command {
	t.Enter(secNCRNext)
	defer t.Leave()
	off := t.IRQSave()
	d.lock.Lock(t)
	t.Touch(d.line)
	var cmd *dispatch.Command
	d.unissued = d.bus.reselected(t, d.unissued)
	cmd, d.unissued = d.bus.first(t, d.unissued, d.busy)
	if cmd == nil {
		d.queued = false
	}
	d.lock.Unlock(t)
	t.IRQRestore(off)
	return cmd
}

// abort takes a command away from the driver.
func (d *ncr5380) abort(t *machine.Thread, cmd *dispatch.Command) (ok bool) {
	off := t.IRQSave()
	d.lock.Lock(t)
	t.Touch(d.line)
	d.unissued, ok = d.bus.forget(t, cmd, d.unissued, d.busy)
	d.lock.Unlock(t)
	t.IRQRestore(off)
	return ok
}

// Expire is as [dispatch.Driver] says, for commands that a fault delays.
func (d *ncr5380) Expire(t *machine.Thread, cmd *dispatch.Command) { d.bus.reselect(t, cmd) }

// pioChunk is how many bytes are moved between two looks at the scheduler.
const pioChunk = 512

// transfer is a command on the bus.
//
//go:noinline
func (c *ncrCosts) transfer(t *machine.Thread, cmd *dispatch.Command) {
	t.Work(c.command)
	t.Enter(secNCRPoll)
	c.target.Spend(t)
	t.Leave()
	t.Enter(secNCRData)
	for left := cmd.Request.Bytes(); left > 0; left -= pioChunk {
		t.Work(time.Duration(c.perByte * float64(min(left, pioChunk))))
	}
	t.Leave()
}

// Counts is as [dispatch.Driver] says.
func (d *ncr5380) Counts() []tally.DriverCount {
	return []tally.DriverCount{{Name: "work_items", Value: d.starts.n.Load()}}
}
