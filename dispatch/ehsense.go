package dispatch

import (
	"hostlock/dispatch/eh"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

// getSense asks for the sense data that drivers did not bring along, and looks
// again at what becomes of such a command (scsi_eh_get_sense). Who does not
// answer goes on to the next stage.
func (e *errorHandling) getSense(t *machine.Thread) {
	for _, cmd := range e.work {
		if cmd.cancel || !cmd.Result.NoSenseData || e.h.sys.cfg.Mistake == eh.SenseSkipped {
			continue
		}
		e.h.sys.ehCounts.senses.Add(1)
		if r, ok := e.probe.send(t, cmd.Device(), RequestSense, e.probeTimeout); !ok || r.Err() != nil {
			continue
		}
		cmd.Result.NoSenseData = false
		switch e.h.dispose(cmd) {
		case success:
			cmd.retries = e.h.sys.retries // to be finished with what it has, not tried again
		case needsRetry:
		default:
			continue
		}
		cmd.recovered = true
	}
}

// startUnits starts every device that has said that it must be started
// (scsi_eh_stu).
func (e *errorHandling) startUnits(t *machine.Thread) {
	for _, cmd := range e.work {
		if cmd.recovered || cmd.cancel || !e.h.mustStart(cmd.Result) {
			continue
		}
		d := cmd.Device()
		if !e.start(t, d) || !e.ready(t, d) {
			continue
		}
		for _, other := range e.work {
			if other.Device() == d && (other.forgotten || other.Returned(t)) {
				other.recovered = true
			}
		}
	}
}

// start sends START UNIT, once more where the answer says to try again
// (scsi_eh_try_stu).
func (e *errorHandling) start(t *machine.Thread, d *Device) bool {
	for range probeTries {
		e.h.sys.ehCounts.starts.Add(1)
		r, ok := e.probe.send(t, d, StartUnit, e.timeout)
		if !ok {
			return false
		}
		if r.Err() == nil {
			return true
		}
		if !r.Again() {
			return false
		}
	}
	return false
}

// mustStart reports whether a device has said that it needs START UNIT, and may
// get it (allow_restart).
func (h *Host) mustStart(r scsi.Result) bool {
	return h.sys.allowRestart && r.NotReadyYet()
}
