package verify

import (
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/machine"
)

// booked reports whether the observer is told of a command: the error handler's
// own are not its business.
func (d *driver) booked(cmd *dispatch.Command) bool {
	return !d.silent && !cmd.Request.Op.OfHandler()
}

// Abort is as [dispatch.Driver] says: it takes a command back from the device, or
// from among those that wait for the interrupt. Where the command is being
// completed it waits for that.
func (d *driver) Abort(t *machine.Thread, cmd *dispatch.Command) bool {
	if d.stubborn > 0 && t.Rand().Float64() < d.stubborn {
		return false
	}
	if cmd.TakeBack(t) || d.unpost(t, cmd) {
		if d.booked(cmd) {
			d.see.taken(t, cmd)
		}
		return true
	}
	if d.hasty {
		return true
	}
	for d.booked(cmd) && d.see.has(t, cmd) {
		t.Sleep(time.Microsecond)
	}
	return false
}

// TimedOut is as [dispatch.Driver] says: half of the commands get their time
// once more, and the first of them has can_queue lowered.
func (d *driver) TimedOut(t *machine.Thread, _ *dispatch.Command) eh.Answer {
	if d.throttle == 0 || t.Rand().IntN(2) == 0 {
		return eh.NotHandled
	}
	d.move(true, d.throttle)
	return eh.ResetTimer
}

// widen raises can_queue again, some time later, and before a command is
// completed, whose completion restarts who was refused.
func (d *driver) widen(t *machine.Thread) {
	if d.throttle > 0 && t.Rand().IntN(4) == 0 {
		d.move(false, d.h.Template.CanQueue)
	}
}

func (d *driver) move(low bool, canQueue int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.low != low {
		d.low = low
		d.h.SetCanQueue(canQueue)
	}
}

// unpost takes a command away from its interrupt.
func (d *driver) unpost(t *machine.Thread, cmd *dispatch.Command) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	t.Note(&d.lines[cmd.Core()])
	q := d.posted[cmd.Core()]
	for i := range q {
		if q[i] == cmd {
			d.posted[cmd.Core()] = append(q[:i], q[i+1:]...)
			return true
		}
	}
	return false
}

// has reports whether the driver has a command.
func (o *observer) has(t *machine.Thread, cmd *dispatch.Command) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.of(t, cmd.Request.Sector).inside
}
