package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// block sets the blocked counter that a refusal asks for, of the host, the
// target or the device: how often somebody has to ask with nothing outstanding
// before anybody is admitted again. The kernel stores it without a lock, too
// (scsi_queue_insert) [S35].
func block(t *machine.Thread, h *dispatch.Host, code dispatch.Code, host, target, device *machine.Word) {
	switch code {
	case dispatch.HostBusy:
		host.Store(t, uint64(h.Template.MaxHostBlocked))
	case dispatch.TargetBusy:
		target.Store(t, uint64(h.MaxTargetBlocked))
	case dispatch.DeviceBusy:
		device.Store(t, uint64(h.MaxDeviceBlocked))
	}
}

// countdown takes one from a blocked counter and returns what is left. A
// completion may set it to 0 at any time, and then it stays 0.
func countdown(t *machine.Thread, w *machine.Word) uint64 {
	for {
		n := w.Load(t)
		if n == 0 || w.CAS(t, n, n-1) {
			return max(n, 1) - 1
		}
	}
}
