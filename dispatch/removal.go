package dispatch

import (
	"time"

	"hostlock/machine"
	"hostlock/machine/param"
)

// Remove takes the host away under load (scsi_remove_host): no queued command
// reaches the driver any more. What the driver has ends as it says. Its error
// names a transition that is not legal, such as of a host that is gone already.
func (h *Host) Remove(t *machine.Thread) error {
	if err := h.either(t, HostCancel, HostCancelRecovery); err != nil {
		return err
	}
	// The end of recovery makes HostDelRecovery HostDel.
	if err := h.either(t, HostDel, HostDelRecovery); err != nil {
		return err
	}
	h.RunAll(t)
	return nil
}

// either sets a state, or that which stands for it during recovery. Recovery may
// begin or end between the two attempts, so that neither fits.
func (h *Host) either(t *machine.Thread, s, recovering HostState) error {
	for {
		err := h.SetState(t, s)
		if err == nil || h.SetState(t, recovering) == nil {
			return nil
		}
		if now := h.State(t); now == HostDel || now == HostDelRecovery {
			return err
		}
	}
}

// initRemoval starts who removes hosts and devices at a time.
func (sys *System) initRemoval(p *param.Set) {
	at := func(name string, what func(t *machine.Thread)) {
		if d := p.Duration("host." + name); d > 0 {
			sys.m.Go(name, 0, true, func(t *machine.Thread) {
				t.Sleep(d - min(t.Now(), d-time.Nanosecond))
				what(t)
			})
		}
	}
	at("remove_at", func(t *machine.Thread) {
		if sys.hosts[0].Remove(t) == nil {
			sys.removedHosts.Add(1)
		}
	})
	at("remove_device_at", func(t *machine.Thread) {
		for _, h := range sys.hosts {
			h.Devices[0].SetState(t, DeviceDel)
			sys.removedDevices.Add(1)
		}
	})
}
