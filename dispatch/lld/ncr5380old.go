package lld

import (
	"strconv"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/machine"
	"hostlock/machine/param"
)

// ncr5380old is mac_scsi as of 2.6.35 [S35], before the driver had a lock of
// its own: queuecommand walks the list of commands to its end under the host
// lock, which the caller holds, and the work item takes the same lock, letting
// go of it only while it selects a target. The data phase, programmed I/O, is
// under the lock with interrupts off: the longest hold of all drivers here.
//
// Handlers [K]: macscsi_abort and macscsi_bus_reset.
//
// Template values of the same source: can_queue 16, cmd_per_lun 2, SG_ALL
// entries, this_id 7, clustering off.
func init() {
	const name = "mac_scsi_2635"
	walk := param.Spec{Name: name + ".walk", Kind: param.Duration, Default: "20ns", About: "work of queuecommand for each command that it walks past to find the end of the list", Source: "a choice: one load and a branch, out of the cache"}
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name:    name,
		Aliases: []string{"mac_scsi_2.6.35"},
		About:   "NCR5380 of a Macintosh, as of 2.6.35: its list and its data phase under the host lock, which queuecommand needs",
		Section: "NCR5380_queue_command",
		Template: dispatch.HostTemplate{
			CanQueue: 16, CmdPerLUN: 2, SGTableSize: 128, MaxSectors: 1024,
			MaxSegmentSize: 65536, DMABoundary: 0xffffffff, UseClustering: false, ThisID: 7,
			NeedsHostLock: true, HostLockReason: "its list of commands has no other lock",
		},
		Params: append(append(ncrParams(name), walk), recoveryParams(name)...),
		New: func(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
			return newNCR5380Old(name, h, p), nil
		},
	})
}

type ncr5380old struct {
	h *dispatch.Host
	*recovery
	costs ncrCosts
	bus   ncrBus
	walk  time.Duration

	// Under the host lock.
	issue []*dispatch.Command // issue_queue
	busy  []bool              // by LU
	line  *machine.Line

	own  machine.SpinLock // in place of the host lock, for a strategy that has none
	wake machine.Completion
	work machine.Word // 1 while the work item is queued
}

func newNCR5380Old(driver string, h *dispatch.Host, p *param.Set) *ncr5380old {
	m := h.Machine()
	d := &ncr5380old{
		h: h, recovery: newRecovery(driver, h, p).only(eh.CommandAbort, eh.BusReset), costs: newNCRCosts(driver, p), walk: p.Duration(driver + ".walk"),
		busy: make([]bool, len(h.Devices)), line: machine.NewLine("hostdata"),
	}
	d.own.Init(m, "host_lock")
	d.work.Init(machine.NewLine("coroutine"), 0)
	d.wake.Init()
	d.bus.init(h, d.recovery, &d.wake)
	d.forget = d.abort
	m.Go("events/"+strconv.Itoa(h.ID), h.ID%m.Cores(), true, func(t *machine.Thread) {
		for {
			d.wake.Wait(t)
			d.costs.startWork(t)
			d.work.Store(t, 0)
			d.main(t)
			d.costs.stopWork(t)
		}
	})
	return d
}

// lock takes the host lock; queuecommand has it already, unless the strategy
// has none.
func (d *ncr5380old) lock(t *machine.Thread) {
	if !d.h.LockHost(t) {
		t.IRQSave()
		d.own.Lock(t)
	}
}

func (d *ncr5380old) unlock(t *machine.Thread) {
	if !d.h.UnlockHost(t) {
		d.own.Unlock(t)
		t.IRQRestore(false)
	}
}

//go:noinline
func (d *ncr5380old) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if code := d.refuse(t); code != dispatch.Accepted {
		return code
	}
	cmd.Result = d.result(t, cmd)
	d.bus.draw(t, d.recovery, cmd)
	if !d.h.HasHostLock() {
		off := t.IRQSave()
		d.own.Lock(t)
		d.append(t, cmd)
		d.own.Unlock(t)
		t.IRQRestore(off)
	} else {
		d.append(t, cmd)
	}
	if d.work.Swap(t, 1) == 0 {
		d.wake.Complete(t)
	}
	return dispatch.Accepted
}

func (d *ncr5380old) append(t *machine.Thread, cmd *dispatch.Command) {
	t.Touch(d.line)
	t.Work(d.costs.queuecommand + time.Duration(len(d.issue))*d.walk)
	d.issue = append(d.issue, cmd)
}

// main takes commands while there is one whose LU is free (NCR5380_main).
//
//go:noinline
func (d *ncr5380old) main(t *machine.Thread) {
	t.Enter(secNCRMain)
	d.lock(t)
	for {
		cmd := d.next(t)
		if cmd == nil {
			break
		}
		d.unlock(t) // NCR5380_select polls without the lock
		t.Work(d.costs.command)
		t.Enter(secNCRPoll)
		d.costs.target.Spend(t)
		t.Leave()
		d.lock(t)
		t.Enter(secNCRData)
		t.Work(time.Duration(d.costs.perByte * float64(cmd.Request.Bytes())))
		t.Leave()
		t.Touch(d.line)
		d.busy[cmd.Device().Index] = false
		t.Work(d.costs.complete)
		cmd.Done(t)
	}
	d.unlock(t)
	t.Leave()
}

func (d *ncr5380old) next(t *machine.Thread) *dispatch.Command {
	t.Touch(d.line)
	d.issue = d.bus.reselected(t, d.issue)
	var cmd *dispatch.Command
	cmd, d.issue = d.bus.first(t, d.issue, d.busy)
	return cmd
}

// abort takes a command away from the driver.
func (d *ncr5380old) abort(t *machine.Thread, cmd *dispatch.Command) (ok bool) {
	d.lock(t)
	t.Touch(d.line)
	d.issue, ok = d.bus.forget(t, cmd, d.issue, d.busy)
	d.unlock(t)
	return ok
}

// Expire is as [dispatch.Driver] says, for commands that a fault delays.
func (d *ncr5380old) Expire(t *machine.Thread, cmd *dispatch.Command) { d.bus.reselect(t, cmd) }
