package strategies

import "hostlock/dispatch"

// newUnlockedQcmds is host-lock with the patch of 2010: where the driver does
// not rely on the host lock, scsi_dispatch_cmd lets go of it, and restores
// interrupts, before it calls queuecommand instead of after. The other three
// sections stay as they were; so does everything for a driver that does rely
// on it. The patch is a flag on the host, and so it is here: the code is
// host-lock's.
func newUnlockedQcmds(h *dispatch.Host) *hostLock { return newHostLock(h, !h.Template.NeedsHostLock) }
