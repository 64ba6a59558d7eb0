package dispatch

import "hostlock/machine"

// RequestFn dispatches what the device's queue has, as far as device, target
// and host admit it (scsi_request_fn) [S35]. The queue is entered, by
// Strategy.Insert, Enter or Starved, and is left when RequestFn returns.
//
//go:noinline
func (d *Device) RequestFn(t *machine.Thread) {
	t.Enter(secRequestFn)
	s := d.Host.strategy
	for {
		since := d.Host.limit.changes.Load()
		cmd := s.Next(t, d)
		if cmd == nil {
			break
		}
		cmd.since = int(since)
		refused := d.Host.DispatchCmd(t, cmd) != Accepted
		s.Back(t, d, refused)
		if refused {
			break
		}
	}
	s.Exit(t, d)
	t.Leave()
}
