package dispatch

import (
	"time"

	"hostlock/dispatch/eh"
	"hostlock/machine"
)

// The low bits of a command's atom say who may complete it; the rest numbers its
// ways to the driver, so that one that is over is told from the next. Without
// error handling it is idle or done, and never numbered.
const (
	atomIdle     uint64 = iota // not with the driver
	atomDone                   // completed: Done has it (REQ_ATOM_COMPLETE)
	atomCalling                // queuecommand runs
	atomExpired                // it still runs, and the time is over
	atomArmed                  // with the driver; Done or the timer, whoever is first
	atomTimedOut               // the timer was: the error handler has it
	atomReturned               // and the driver has completed it since, in vain
	atomState    = 7           // mask
)

// quit makes the atom idle, for its owner.
func (cmd *Command) quit(t *machine.Thread) {
	if cmd.Host().eh == nil {
		cmd.atom.Store(t, atomIdle)
		return
	}
	cmd.atom.Store(t, cmd.atom.Load(t)&^atomState)
}

// complete makes the atom done for whoever calls it first, and reports whether
// that is the caller.
func (cmd *Command) complete(t *machine.Thread) bool {
	sys := cmd.Host().sys
	if cmd.Host().eh == nil {
		if cmd.atom.Swap(t, atomDone) == atomIdle {
			return true
		}
		sys.duplicates.Add(1)
		return false
	}
	for {
		v := cmd.atom.Load(t)
		next := v&^atomState | atomDone
		switch v & atomState {
		case atomDone, atomReturned:
			sys.duplicates.Add(1)
			return false
		case atomTimedOut:
			if sys.cfg.Mistake != eh.LateCounts {
				next = v&^atomState | atomReturned
			}
		}
		if cmd.atom.CAS(t, v, next) {
			if next&atomState == atomReturned {
				sys.ehCounts.late.Add(1)
				return false
			}
			return true
		}
	}
}

// again is a second completion of a command that is being completed. A driver
// that makes one later, when the command may be in use again, does damage that no
// mid-layer can see.
func (cmd *Command) again(t *machine.Thread) {
	cmd.Twice = false
	sys := cmd.Host().sys
	if cmd.complete(t) {
		panic("dispatch: a command was completed twice")
	}
	sys.duplicates.Add(-1)
	sys.ehCounts.injected.Add(1)
}

// Returned reports whether the driver has completed a command that had timed
// out, in vain; for the handlers of drivers.
func (cmd *Command) Returned(t *machine.Thread) bool {
	return cmd.atom.Load(t)&atomState == atomReturned
}

// call calls the driver, with the command's timer running. 2.6.35 has one
// timer a queue, and rounds deadlines up to a second; this one is exact.
//
// The time may be over before queuecommand has returned. The handler must not
// have the command then: a driver in the midst of taking it cannot abort it.
func (e *errorHandling) call(t *machine.Thread, cmd *Command) Code {
	turn := cmd.atom.Load(t)&^atomState + atomState + 1
	if e.h.sys.cfg.Mistake == eh.TurnsAlike {
		turn -= atomState + 1
	}
	cmd.atom.Store(t, turn|atomCalling)
	cmd.Lost, cmd.forgotten = false, false
	cmd.deadline.Store(after(t, e.timeout))
	cmd.timeout.Arm(t, e.timeout)
	code := e.h.strategy.Call(t, cmd)
	if code != Accepted {
		cmd.timeout.Disarm(t)
		cmd.atom.Store(t, turn|atomIdle)
		return code
	}
	// The command may be done, and on its way again; then it has another turn.
	if !cmd.atom.CAS(t, turn|atomCalling, turn|atomArmed) && cmd.atom.CAS(t, turn|atomExpired, turn|atomTimedOut) {
		e.timesOut(t, cmd)
	}
	return code
}

// expireTimeout is the function of every command's timer: a soft interrupt. It may be
// late, and the command be with the driver once more, or its issuer's again: until
// the atom is won, not even its host may be looked at.
func (cmd *Command) expireTimeout(t *machine.Thread) {
	if int64(t.Now()) < cmd.deadline.Load() {
		return
	}
	for {
		v := cmd.atom.Load(t)
		switch v & atomState {
		case atomCalling:
			if cmd.Request.issuer.sys.cfg.Mistake == eh.TakenWhileCalled {
				if cmd.atom.CAS(t, v, v&^atomState|atomTimedOut) {
					cmd.Host().eh.timesOut(t, cmd)
					return
				}
				continue
			}
			if cmd.atom.CAS(t, v, v&^atomState|atomExpired) {
				return
			}
		case atomArmed:
			if cmd.atom.CAS(t, v, v&^atomState|atomTimedOut) {
				cmd.Host().eh.timesOut(t, cmd)
				return
			}
		default:
			return
		}
	}
}

// timesOut asks the driver, where that has a say, and gives a command to the
// error handler (scsi_times_out). Where the host is beyond recovery the command
// ends here, and is not used again, since the driver still has it.
func (e *errorHandling) timesOut(t *machine.Thread, cmd *Command) {
	t.Enter(secTimesOut)
	defer t.Leave()
	if e.asks != nil {
		switch e.asks.TimedOut(t, cmd) {
		case eh.ResetTimer:
			e.extend(t, cmd)
			return
		case eh.Handled:
			e.end(t, cmd)
			return
		}
	}
	e.h.sys.ehCounts.timedOut.Add(1)
	cmd.cancel = true
	if !e.keeper.Fail(t, cmd) {
		cmd.Request.abandoned = true
		cmd.post(t)
	}
}

// add gives a command to the error handler that the driver has completed, but
// that must be seen to. It reports false where the host is beyond recovery.
func (e *errorHandling) add(t *machine.Thread, cmd *Command) bool {
	cmd.cancel = false
	return e.keeper.Fail(t, cmd)
}

// after is d from now, no sooner than now.
func after(t *machine.Thread, d time.Duration) int64 { return int64(t.Now() + max(d, 0)) }

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
		if e.h.sys.cfg.Mistake != eh.TimerForgotten {
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
