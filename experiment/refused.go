package experiment

import (
	"slices"
	"strings"
)

// unlocked is the strategy that drops the host lock before queuecommand.
const unlocked = "unlocked-qcmds"

// refused is why a driver cannot run under a strategy: the patch takes away
// the lock that its queuecommand relies on. Its author's objectors had exactly
// this in mind: such a driver must be converted first.
func (p *planned) refused() error {
	if p.strategy.Name != unlocked {
		return nil
	}
	needs, why := p.driver.Template.NeedsHostLock, p.driver.Template.HostLockReason
	switch p.params.Choice("host.needs_host_lock") {
	case "true":
		needs, why = true, "host.needs_host_lock=true says so"
	case "false":
		needs = false
	}
	if !needs {
		return nil
	}
	if why == "" {
		why = "its template says so"
	}
	return Usagef("driver %s relies on the host lock in queuecommand (%s), which strategy %s drops; legal: host-lock, or per-queue and ring, which give it a lock of that name around queuecommand alone", p.driver.Name, why, unlocked)
}

// blame gives an error about a limit the place in the file where that was set,
// if it was.
func (p *planned) blame(err error) error {
	for _, v := range p.spec.Parameters {
		_, short, _ := strings.Cut(v.Name, ".")
		set := slices.ContainsFunc(p.opts.Set, func(kv string) bool { return strings.HasPrefix(kv, v.Name+"=") })
		if short != "" && !set && strings.Contains(err.Error(), short) {
			return v.ValPos.Errorf("%w", err)
		}
	}
	return Usagef("%w", err)
}
