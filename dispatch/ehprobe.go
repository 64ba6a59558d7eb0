package dispatch

import (
	"sync/atomic"

	"hostlock/machine"
)

// probe is the handler's own command, TEST UNIT READY: it goes to the driver
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

// ready reports whether a device answers (scsi_eh_tur).
func (e *errorHandling) ready(t *machine.Thread, d *Device) bool {
	for range probeTries {
		if result, ok := e.probe.send(t, d); !ok {
			return false
		} else if result.Err() == nil {
			return true
		}
	}
	return false
}

// send sends one TEST UNIT READY (scsi_send_eh_cmnd). ok is false where the
// device was gone, the driver refused, or the time was over.
func (p *probe) send(t *machine.Thread, d *Device) (result Result, ok bool) {
	if d.State(t) == DeviceDel {
		return Result{}, false
	}
	h := p.e.h
	cmd := p.next()
	rq := cmd.Request
	rq.Op, rq.Device, rq.Sector, rq.Sectors, rq.Segments, rq.Data = TestUnitReady, d, 0, 0, 0, nil
	cmd.core, cmd.Lost, cmd.forgotten, cmd.Result = t.Core(), false, false, Result{}
	cmd.buildCDB()
	turn := cmd.atom.Load(t)&^atomState + atomState + 1
	cmd.deadline.Store(after(t, p.e.probeTimeout))
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
		return Result{}, false
	}
	// Only now: the driver cannot abort what it is about to take.
	p.timer.Arm(t, p.e.probeTimeout)
	p.answer.Wait(t)
	p.timer.Disarm(t)
	if cmd.atom.Load(t)&atomState == atomDone {
		return cmd.Result, true
	}
	if !p.e.abort(t, cmd) && !cmd.Returned(t) {
		p.cmd.Store(nil) // the driver may complete it yet
	}
	return Result{}, false
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
