package dispatch

import "hostlock/machine"

// DeviceUnbusy gives back the slots that a command has of its host, its target
// and its device (scsi_device_unbusy) [S35].
//
//go:noinline
func (h *Host) DeviceUnbusy(t *machine.Thread, cmd *Command) {
	t.Enter(secDeviceUnbusy)
	h.strategy.Release(t, cmd)
	h.require(cmd, chargedUnbusy, "the end of scsi_device_unbusy")
	t.Leave()
}
