package dispatch

import (
	"hostlock/dispatch/eh"
	"hostlock/machine"
)

// abortAll has the driver abort each command (scsi_eh_abort_cmds).
func (e *errorHandling) abortAll(t *machine.Thread) {
	for _, cmd := range e.work {
		if !cmd.cancel {
			continue
		}
		if cmd.Returned(t) || e.abort(t, cmd) || cmd.Returned(t) {
			cmd.recovered = e.ready(t, cmd.Device())
		}
	}
}

// abort asks the driver, or does what can be done without it.
func (e *errorHandling) abort(t *machine.Thread, cmd *Command) bool {
	e.h.sys.ehCounts.stages[eh.CommandAbort].Add(1)
	if cmd.forgotten {
		return true
	}
	if a, ok := e.h.driver.(aborter); ok {
		cmd.forgotten = a.Abort(t, cmd)
	} else {
		cmd.forgotten = cmd.TakeBack(t)
	}
	return cmd.forgotten
}

// resetAll resets, one after the other, whatever of a level has commands that
// are not recovered (scsi_eh_bus_device_reset and those after it).
func (e *errorHandling) resetAll(t *machine.Thread, level eh.Level) {
	r, ok := e.h.driver.(resetter)
	for i, cmd := range e.work {
		if cmd.recovered || !e.first(i, level) {
			continue
		}
		e.scope = e.scope[:0]
		for _, other := range e.work[i:] {
			// What the driver has forgotten needs no forgetting, though its device
			// does not answer yet.
			if same(level, cmd, other) && !other.recovered && !other.forgotten && !other.Returned(t) {
				e.scope = append(e.scope, other)
			}
		}
		e.h.sys.ehCounts.stages[level].Add(1)
		if ok && r.Reset(t, level, cmd.Device(), e.scope) {
			for _, other := range e.scope {
				other.forgotten = true
			}
		}
		if level == eh.HostReset || level == eh.BusReset && len(e.scope) > 0 && e.scope[0].forgotten {
			// After the last reset also where it failed: what the driver is just
			// completing comes back meanwhile.
			t.Sleep(e.settle)
		}
		for _, other := range e.work[i:] {
			if same(level, cmd, other) && !other.recovered && (other.forgotten || other.Returned(t)) {
				other.recovered = e.ready(t, other.Device())
			}
		}
	}
}

// first reports whether no earlier command stands for the same device, target
// or host: each is reset once a level.
func (e *errorHandling) first(i int, level eh.Level) bool {
	for _, other := range e.work[:i] {
		if !other.recovered && same(level, other, e.work[i]) {
			return false
		}
	}
	return true
}

// offline gives up the devices of what is left (scsi_eh_offline_sdevs). A command
// that the driver may still have must never be used again: it could complete at
// any time.
func (e *errorHandling) offline(t *machine.Thread) {
	for _, cmd := range e.work {
		if cmd.recovered {
			continue
		}
		if d := cmd.Device(); d.State(t).Online() && e.h.sys.cfg.Mistake != eh.OfflineSkipped {
			d.SetState(t, DeviceOffline)
			e.h.sys.ehCounts.offlined.Add(1)
		}
		if !cmd.forgotten && !cmd.Returned(t) && e.h.sys.cfg.Mistake != eh.ReusedUnaborted {
			cmd.Request.abandoned = true
		}
	}
}

// same reports whether a reset of that level concerns both commands, which are
// of one host.
func same(l eh.Level, a, b *Command) bool {
	switch l {
	case eh.CommandAbort:
		return a == b
	case eh.DeviceReset:
		return a.Device() == b.Device()
	case eh.TargetReset:
		return a.Device().Target == b.Device().Target
	}
	return true
}

// devices are those of the commands at hand, where a mistake needs them.
func (e *errorHandling) devices() []*Device {
	if e.h.sys.cfg.Mistake != eh.OwnQueuesOnly {
		return nil
	}
	var own []*Device
	for _, cmd := range e.work {
		own = append(own, cmd.Device())
	}
	return own
}
