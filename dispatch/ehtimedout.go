package dispatch

import "hostlock/machine"

// TimeoutDriver is a driver with a say in a timeout (eh_timed_out). It is called
// in the timer's soft interrupt, or by queuecommand's caller where the time was
// over before that returned, with nothing held. It must not wait.
type TimeoutDriver interface {
	Driver
	TimedOut(t *machine.Thread, cmd *Command) TimeoutAnswer
}

// TimeoutAnswer is what becomes of a command whose time is over
// (enum blk_eh_timer_return).
type TimeoutAnswer uint8

const (
	NotHandled TimeoutAnswer = iota // the error handler gets it
	ResetTimer                      // it gets its time once more
	Handled                         // the driver has ended it, and has set its Result
)

// extend gives a command its time once more. What the driver completes while
// it answers is completed after that; the kernel loses it until the next
// timeout [K].
func (e *errorHandling) extend(t *machine.Thread, cmd *Command) {
	e.h.sys.ehCounts.extended.Add(1)
	turn := cmd.atom.Load(t) &^ atomState
	cmd.deadline.Store(after(t, e.timeout))
	if cmd.atom.CAS(t, turn|atomTimedOut, turn|atomArmed) {
		// Only now: a timer that finds the atom as it was would be over for nothing.
		// Where the command has come back meanwhile, and even is on its way again,
		// this deadline is no earlier than that one's.
		if e.h.sys.cfg.Mistake != TimerForgotten {
			cmd.timeout.Arm(t, e.timeout)
		}
		return
	}
	e.h.sys.ehCounts.late.Add(-1)
	e.end(t, cmd)
}

// end completes a command that the driver has ended while its time was over.
func (e *errorHandling) end(t *machine.Thread, cmd *Command) {
	cmd.atom.Store(t, cmd.atom.Load(t)&^atomState|atomDone)
	cmd.leave(t)
	cmd.post(t)
}
