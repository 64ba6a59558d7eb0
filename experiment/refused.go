package experiment

import (
	"slices"
	"strings"
	"unicode"

	"hostlock/dispatch"
)

// refused is why a driver cannot run under a strategy: one as the patch of 2010
// takes away the lock that its queuecommand relies on. Its author's objectors had exactly
// this in mind: such a driver must be converted first.
func (p *planned) refused() error {
	if !p.strategy.DropsHostLock {
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
	return Usagef("driver %s relies on the host lock in queuecommand (%s), which strategy %s drops; legal: %s", p.driver.Name, why, p.strategy.Name, strings.Join(keepHostLock(), ", "))
}

// keepHostLock are the strategies that a driver which relies on the host lock can
// run under: those that hold it across queuecommand, and those that have none, and
// give the driver one around queuecommand alone.
func keepHostLock() []string {
	var names []string
	for _, s := range dispatch.Strategies() {
		if !s.DropsHostLock {
			names = append(names, s.Name)
		}
	}
	return names
}

// blame gives an error about a limit the place where that was set: the command
// line, else the file. Only what the error says is wrong counts, and not what it
// says is legal, which may name other parameters.
func (p *planned) blame(err error) error {
	wrong, _, _ := strings.Cut(err.Error(), "; legal")
	words := strings.FieldsFunc(wrong, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	named := func(name string) bool {
		_, short, _ := strings.Cut(strings.TrimSpace(name), ".")
		return slices.Contains(words, short)
	}
	for _, kv := range slices.Backward(p.opts.Set) {
		if name, _, _ := strings.Cut(kv, "="); named(name) {
			return Usagef("--set %s: %w", kv, err)
		}
	}
	for _, v := range p.spec.Parameters {
		if named(v.Name) {
			return v.ValPos.Errorf("%w", err)
		}
	}
	return Usagef("%w", err)
}
