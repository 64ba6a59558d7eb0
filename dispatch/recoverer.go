package dispatch

import (
	"errors"

	"hostlock/machine"
)

// ErrNoRecoverer is why a strategy cannot run with midlayer.error_handling.
var ErrNoRecoverer = errors.New("it is no dispatch.Recoverer")

// RecoversError is a strategy that is a Recoverer and does not say so in
// StrategyInfo.Recovers, or says so and is none.
type RecoversError struct{ Says bool }

func (e *RecoversError) Error() string {
	if e.Says {
		return "StrategyInfo.Recovers is true, but what New made is no dispatch.Recoverer"
	}
	return "what New made is a dispatch.Recoverer, but StrategyInfo.Recovers is false"
}

// Recoverer is a strategy under which errors can be handled. What it adds
// belongs to whatever protects the strategy's count of a host's commands
// (host_busy): the handler may only run when every command that is outstanding
// has failed.
//
// Such a strategy asks [Host.Failing] whenever it has given a slot of the host
// back, in Release and wherever it gives back one that it did not use, and calls
// [Host.WakeHandler] where as many slots are taken as commands have failed.
//
// Its driver may lower can_queue while it judges a timeout: such a strategy
// reads [Host.CanQueue] wherever it looks for a slot, and not the template's
// value once and for all.
type Recoverer interface {
	Strategy
	// Fail calls Host.AddFailed, and wakes the handler where that makes the
	// host quiet. It reports what AddFailed did.
	Fail(t *machine.Thread, cmd *Command) bool
	// Quiet reports whether as many slots of the host are taken as commands
	// have failed (host_busy == host_failed). It must not say so while another
	// command is outstanding.
	Quiet(t *machine.Thread) bool
}
