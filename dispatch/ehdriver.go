package dispatch

import "hostlock/machine"

// Aborter is a driver that can abort a command (eh_abort_handler). It is called
// by the error handler's thread, with nothing held, and may wait. True means
// that the driver will never complete or touch the command any more: it has
// forgotten it, or has completed it meanwhile ([Command.Returned]).
//
// For a driver without one, a command is taken back where [Command.TakeBack]
// can do it.
type Aborter interface {
	Driver
	Abort(t *machine.Thread, cmd *Command) bool
}

// Resetter is a driver that can reset a device, its target, the bus, or the
// host adapter (eh_device_reset_handler and so on). cmds are all commands that it
// still has of what is reset. True means for every one of them what it
// does for Aborter. A driver without it has no resets.
type Resetter interface {
	Driver
	Reset(t *machine.Thread, level Level, dev *Device, cmds []*Command) bool
}

// TakeBack takes a command away from hardware that is nothing but the timer
// of [Command.Arm]: it reports whether that was armed and now will not fire, or
// whether the command is Lost.
func (cmd *Command) TakeBack(t *machine.Thread) bool { return cmd.timer.Disarm(t) || cmd.Lost }
