package verify

import (
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
)

// booked reports whether the observer is told of a command: the error handler's
// own are not its business.
func (d *driver) booked(cmd *dispatch.Command) bool {
	return !d.silent && cmd.Request.Op != dispatch.TestUnitReady
}

// Abort implements dispatch.Aborter: it takes a command back from the device, or
// from among those that wait for the interrupt. Where the command is being
// completed it waits for that.
func (d *driver) Abort(t *machine.Thread, cmd *dispatch.Command) bool {
	if cmd.TakeBack(t) || d.unpost(t, cmd) {
		if d.booked(cmd) {
			d.see.taken(t, cmd)
		}
		return true
	}
	for d.booked(cmd) && d.see.has(t, cmd) {
		t.Sleep(time.Microsecond)
	}
	return false
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
