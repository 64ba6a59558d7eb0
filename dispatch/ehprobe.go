package dispatch

import (
	"sync/atomic"
	"time"

	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

// probe is the handler's own command, such as TEST UNIT READY: it goes to the driver
// past queues and counters, and comes back past the softirq.
type probe struct {
	e      *errorHandling
	issuer Issuer
	cmd    atomic.Pointer[Command] // nil where the driver kept the last one
	spare  []*Command
	answer machine.Completion
	timer  machine.Timer
}

// probeTries is how often TEST UNIT READY is sent: once more where the answer
// says to try again [S35 scsi_eh_tur].
const probeTries = 2

func (p *probe) init(e *errorHandling) {
	p.e = e
	p.issuer.sys = e.h.sys
	p.answer.Init()
	p.timer.Init(e.h.sys.m, "eh_timeout", machine.Soft, p.expire)
}

// next is a command that the driver does not have.
func (p *probe) next() *Command {
	if cmd := p.cmd.Load(); cmd != nil {
		return cmd
	}
	if len(p.spare) == 0 {
		chunk := p.e.h.sys.table.grow(p.e.h.sys, &p.issuer)
		for i := range chunk {
			p.spare = append(p.spare, &chunk[i].Cmd)
		}
	}
	cmd := p.spare[0]
	p.spare = p.spare[1:]
	cmd.probe = p
	p.cmd.Store(cmd)
	return cmd
}

// ready reports whether a device answers (scsi_eh_tur). One that is offline or
// gone is not asked: its commands end here.
func (e *errorHandling) ready(t *machine.Thread, d *Device) bool {
	if !d.State(t).Online() {
		return true
	}
	for range probeTries {
		result, ok := e.probe.send(t, d, TestUnitReady, e.probeTimeout)
		if !ok {
			return false
		}
		// A device that must be started, and may not, has answered.
		if result.Err() == nil || result.NotReadyYet() && !e.h.sys.allowRestart {
			return true
		}
	}
	return false
}

// send sends one command (scsi_send_eh_cmnd). ok is false where the device was
// gone, the driver refused, or the time was over.
func (p *probe) send(t *machine.Thread, d *Device, op Op, timeout time.Duration) (result scsi.Result, ok bool) {
	if d.State(t) == DeviceDel {
		return scsi.Result{}, false
	}
	h := p.e.h
	cmd := p.next()
	rq := cmd.Request
	rq.Op, rq.Device, rq.Sector, rq.Sectors, rq.Segments, rq.Data = op, d, 0, 0, 0, nil
	cmd.core, cmd.Lost, cmd.forgotten, cmd.Result = t.Core(), false, false, scsi.Result{}
	cmd.buildCDB()
	turn := cmd.atom.Load(t)&^atomState + atomState + 1
	cmd.deadline.Store(after(t, timeout))
	cmd.atom.Store(t, turn|atomArmed)
	locked := h.Template.NeedsHostLock && h.LockHost(t)
	code := h.driver.QueueCommand(t, cmd)
	if locked {
		h.UnlockHost(t)
	}
	if code != Accepted {
		if !cmd.atom.CAS(t, turn|atomArmed, turn|atomIdle) {
			p.answer.Wait(t) // the timer of the probe before this one came late
		}
		return scsi.Result{}, false
	}
	// Only now: the driver cannot abort what it is about to take.
	p.timer.Arm(t, timeout)
	p.answer.Wait(t)
	p.timer.Disarm(t)
	if cmd.atom.Load(t)&atomState == atomDone {
		return cmd.Result, true
	}
	if !p.e.abort(t, cmd) && !cmd.Returned(t) {
		p.cmd.Store(nil) // the driver may complete it yet
	}
	return scsi.Result{}, false
}

// expire is the timer of the probe.
func (p *probe) expire(t *machine.Thread) {
	cmd := p.cmd.Load()
	if cmd == nil || int64(t.Now()) < cmd.deadline.Load() {
		return
	}
	turn := cmd.atom.Load(t) &^ atomState
	if cmd.atom.CAS(t, turn|atomArmed, turn|atomTimedOut) {
		p.answer.Complete(t)
	}
}
