package story

import (
	"sync"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
	"hostlock/machine/param"
)

const driverName = "story"

func init() {
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name: driverName, About: "does what a story tells it to",
		Template: dispatch.HostTemplate{CanQueue: 8, CmdPerLUN: 4, SGTableSize: 4, MaxSectors: 64},
		New:      func(*dispatch.Host, *param.Set) (dispatch.Driver, error) { return new(driver), nil },
	})
}

// driver is hardware that does what a story says. What is nil or zero fails in
// no way.
type driver struct {
	mu      sync.Mutex
	latency time.Duration
	probes  time.Duration // latency of the handler's own commands; 0 is as all others
	// lose names commands that are never answered; dead devices answer none of
	// the handler's.
	lose func(cmd *dispatch.Command) bool
	dead func(d *dispatch.Device) bool
	// result says how a command ends.
	result func(now time.Duration, cmd *dispatch.Command) scsi.Result
	// timedOut is the driver's say in a timeout.
	timedOut func(t *machine.Thread, cmd *dispatch.Command) eh.Answer
	// answer is queuecommand's to the n-th command, from 0; it accepts where
	// answer is nil.
	answer func(n int, cmd *dispatch.Command) dispatch.Code
	// call, where it is true, was the command's queuecommand; it has nothing
	// locked.
	call func(t *machine.Thread, cmd *dispatch.Command) bool
	// aborting is called before a command is aborted.
	aborting func(cmd *dispatch.Command)
	// done is called before a command is completed.
	done func(t *machine.Thread, cmd *dispatch.Command)

	abort bool     // whether aborts succeed
	reset eh.Level // the mildest reset that does; 0 is none

	// What the handler has done, for the story's end.
	ops    []dispatch.Op
	aborts int
	resets []eh.Level
	now    int // commands that the driver has
	calls  int // how often it was given one
}

func (d *driver) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	cmd.Result = scsi.Result{}
	if !cmd.Request.Op.OfHandler() {
		n := d.enter()
		if d.answer != nil {
			if code := d.answer(n, cmd); code != dispatch.Accepted {
				d.leave()
				return code
			}
		}
	}
	if d.call != nil && d.call(t, cmd) {
		return dispatch.Accepted
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	latency := d.latency
	switch op := cmd.Request.Op; {
	case op.OfHandler():
		d.ops = append(d.ops, op)
		if d.probes > 0 {
			latency = d.probes
		}
		cmd.Lost = d.dead != nil && d.dead(cmd.Device())
	default:
		cmd.Lost = d.lose != nil && d.lose(cmd)
	}
	if cmd.Lost {
		return dispatch.Accepted
	}
	if d.result != nil {
		cmd.Result = d.result(t.Now(), cmd)
	}
	cmd.Arm(t, latency)
	return dispatch.Accepted
}

// Expire is as [dispatch.Driver] says.
func (d *driver) Expire(t *machine.Thread, cmd *dispatch.Command) {
	if !cmd.Request.Op.OfHandler() {
		d.leave()
		if d.done != nil {
			d.done(t, cmd)
		}
	}
	cmd.Done(t)
}

// enter counts a command in, and reports how many have been before.
func (d *driver) enter() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now++
	d.calls++
	return d.calls - 1
}

func (d *driver) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now--
}

// Abort is as [dispatch.Driver] says.
func (d *driver) Abort(t *machine.Thread, cmd *dispatch.Command) bool {
	d.mu.Lock()
	d.aborts++
	works := d.abort
	d.mu.Unlock()
	if d.aborting != nil {
		d.aborting(cmd)
	}
	return works && d.back(t, cmd)
}

// back takes a command back from the hardware.
func (d *driver) back(t *machine.Thread, cmd *dispatch.Command) bool {
	ok := cmd.TakeBack(t)
	if ok && !cmd.Request.Op.OfHandler() {
		d.leave()
	}
	return ok
}

// Reset is as [dispatch.Driver] says.
func (d *driver) Reset(t *machine.Thread, level eh.Level, _ *dispatch.Device, cmds []*dispatch.Command) bool {
	d.mu.Lock()
	d.resets = append(d.resets, level)
	works := d.reset > 0 && level >= d.reset
	d.mu.Unlock()
	if !works {
		return false
	}
	all := true
	for _, cmd := range cmds {
		all = d.back(t, cmd) && all
	}
	return all
}

// TimedOut is as [dispatch.Driver] says.
func (d *driver) TimedOut(t *machine.Thread, cmd *dispatch.Command) eh.Answer {
	if d.timedOut == nil {
		return eh.NotHandled
	}
	return d.timedOut(t, cmd)
}

// firsts is true for the first n commands.
func firsts(n int) func(*dispatch.Command) bool {
	return func(*dispatch.Command) bool { n--; return n >= 0 }
}
