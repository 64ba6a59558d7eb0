package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// Target is a target's slots, counted where it has a limit, and its blocked
// counter.
type Target struct {
	limit   Limit // nil where the target has none
	_       [64]byte
	blocked machine.Word // target_blocked
	_       [64]byte
}

func (tg *Target) init(target *dispatch.Target) {
	tg.blocked.Init(target.Own("target_flags").Line("scsi_target.target_blocked"), 0)
	if target.CanQueue > 0 {
		tg.limit = NewCounterOn(target.Own("target_busy").Line("scsi_target.target_busy"), target.CanQueue)
	}
}

// Limited reports whether the target has a limit.
func (tg *Target) Limited() bool { return tg.limit != nil }

// Take takes a slot, where it says Admitted. A target without a limit admits
// everything: see [Target.Unblocked].
func (tg *Target) Take(t *machine.Thread) Admission {
	switch {
	case tg.limit == nil:
		return Admitted
	case !tg.limit.Take(t):
		return Starves
	case tg.blocked.Load(t) == 0:
		return Admitted
	}
	a := Starves
	if tg.limit.Alone(t) {
		if countdown(t, &tg.blocked) == 0 {
			return Admitted
		}
		a = Refused
	}
	tg.limit.Give(t)
	return a
}

// Give gives a slot back.
func (tg *Target) Give(t *machine.Thread) {
	if tg.limit != nil {
		tg.limit.Give(t)
	}
}

// Unblocked asks the blocked counter of a target without a limit, whose commands
// nobody counts: how many others a device has stands for them.
func (tg *Target) Unblocked(t *machine.Thread, others int) bool {
	return tg.limit != nil || unblocked(t, &tg.blocked, others)
}

// Open reports whether Take may succeed now.
func (tg *Target) Open(t *machine.Thread) bool {
	return tg.limit == nil || !tg.limit.Full(t) && tg.blocked.Load(t) == 0
}
