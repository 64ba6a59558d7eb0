package strategies

import "hostlock/dispatch"

// The order is that of the lineage, and of every table that lists them.
func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name:             "host-lock",
		About:            "2.6.35: four host_lock sections a command, queuecommand inside the second",
		HostLockSections: 4, KeepsStarvedList: true, Recovers: true,
		Locks: []string{"queue_lock", "list_lock", "free_list_lock"},
		New:   func(h *dispatch.Host) (dispatch.Strategy, error) { return newHostLock(h, false), nil },
	})
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name:             "unlocked-qcmds",
		About:            "the 2010 patch: host_lock is dropped before queuecommand, where the driver allows it",
		HostLockSections: 4, DropsHostLock: true, KeepsStarvedList: true, Recovers: true,
		Locks: []string{"queue_lock", "list_lock", "free_list_lock"},
		New:   func(h *dispatch.Host) (dispatch.Strategy, error) { return newHostLock(h, true), nil },
	})
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name:     "per-queue",
		About:    "a lock a device queue; the host's limit is one atomic counter, as in 3.17",
		Locks:    []string{"queue_lock"},
		Recovers: true,
		New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			return NewPerQueue(h, NewCounterOn(h.Own("host_busy").Line("Scsi_Host.host_busy"), h.Template.CanQueue)), nil
		},
	})
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name:     "ring",
		About:    "no lock: rings for submission, requeue and starved devices, a ring of free tags as the host's limit",
		Recovers: true,
		New:      func(h *dispatch.Host) (dispatch.Strategy, error) { return newRing(h), nil },
	})
}
