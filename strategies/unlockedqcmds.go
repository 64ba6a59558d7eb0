package strategies

import "hostlock/dispatch"

// unlocked-qcmds is host-lock with the patch of 2010: where the driver does
// not rely on the host lock, scsi_dispatch_cmd lets go of it, and restores
// interrupts, before it calls queuecommand instead of after. The other three
// sections stay as they were; so does everything for a driver that does rely
// on it.
func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name:  "unlocked-qcmds",
		About: "the 2010 patch: host_lock is dropped before queuecommand, where the driver allows it",
		New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			return newHostLock(h, !h.Template.NeedsHostLock), nil
		},
	})
}
