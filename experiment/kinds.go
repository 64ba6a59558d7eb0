package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hostlock/dispatch"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/profiles"
	"hostlock/results"
)

// Parameters that choose algorithms of locks: lockPrefix and a class, or anyLock
// for all classes that have no choice of their own. hostLockKind is what --kind
// sets. Each machine declares its own, since they have different algorithms.
const (
	lockPrefix   = "lock."
	hostLockKind = lockPrefix + profiles.ClassHostLock
	anyLock      = lockPrefix + "default"
)

// kindsOn are the algorithms that a machine has for spinlocks.
func kindsOn(name string) []string {
	if name == "live" {
		return []string{machine.TAS.String(), machine.Mutex.String()}
	}
	return slices.DeleteFunc(machine.Kinds(), func(k string) bool { return k == machine.Mutex.String() })
}

// MachinesWith lists the machines that have an algorithm of spinlocks.
func MachinesWith(kind string) []string {
	var out []string
	for _, m := range []string{"live", "sim"} {
		if slices.Contains(kindsOn(m), kind) {
			out = append(out, m)
		}
	}
	return out
}

// LockClasses lists the classes of spinlocks that strategies, drivers and the path
// have.
func LockClasses() []string {
	out := []string{profiles.ClassHostLock, "tree_lock"} // the second is the page cache's
	for _, s := range dispatch.Strategies() {
		out = append(out, s.Locks...)
	}
	for _, d := range dispatch.Drivers() {
		out = append(out, d.Locks...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// lockParams are the algorithms of all classes of locks on a machine, the host
// lock's first: that one is in every result.
func lockParams(name, kernel string) (host param.Spec, others []param.Spec) {
	const aboutLive = "a fair queue of goroutines collapses for good once one that holds a place in it is not running"
	spec := func(class, def, about, source string) param.Spec {
		return param.Spec{Name: lockPrefix + class, Kind: param.Choice, Default: def, Choices: kindsOn(name), About: about, Source: source}
	}
	def, source := machine.TAS.String(), aboutLive
	if name == "live" {
		host = spec(profiles.ClassHostLock, def, "algorithm of the host lock; ticket and queued are the simulated machine's alone", source)
	} else {
		def, source = machine.Ticket.String(), "S35: x86 Linux 2.6.25 to 4.1 had the ticket lock"
		if machine.KernelKind(kernel) == machine.Queued {
			def, source = machine.Queued.String(), "x86 Linux has the queued lock since 4.2"
		}
		host = spec(profiles.ClassHostLock, def, "algorithm of the host lock; mutex is the live machine's alone, since interrupt handlers cannot sleep", source)
	}
	others = append(others, spec("default", def, "algorithm of every lock that has no choice of its own", source))
	for _, class := range LockClasses() {
		if class != profiles.ClassHostLock {
			others = append(others, spec(class, def, "algorithm of "+class+"; lock.default's without it", source))
		}
	}
	return host, others
}

// isLock reports whether a setting chooses a lock's algorithm.
func isLock(name string) bool { return strings.HasPrefix(name, lockPrefix) }

// sameKind gives an algorithm the one name that its parameter knows.
func sameKind(v param.Setting) param.Setting {
	if isLock(v.Name) {
		if k, err := machine.ParseKind(v.Value); err == nil {
			v.Value = k.String()
		}
	}
	return v
}

// chosen reports whether anybody but the program gave a parameter its value.
func chosen(v param.Value) bool { return v.At.IsValid() || v.From != "" }

// kinds settles which lock has which algorithm, and makes what was chosen a part of
// the run's parameters.
func (p *Plan) kinds() error {
	all, _ := p.value(anyLock)
	for _, v := range p.params.Values() {
		if isLock(v.Name) && chosen(v) {
			p.used[v.Name] = true
		}
	}
	host, _ := p.value(hostLockKind)
	if !chosen(all) || chosen(host) {
		return nil
	}
	err := p.params.Apply(param.Setting{Name: hostLockKind, Value: all.Text, Source: "lock.default"})
	if err != nil {
		return spec.WrongSetting(err)
	}
	return nil
}

// value is a declared parameter, read by the run or not.
func (p *Plan) value(name string) (param.Value, bool) {
	vs := p.params.Filter(func(n string) bool { return n == name }).Values()
	if len(vs) == 0 {
		return param.Value{}, false
	}
	return vs[0], true
}

// lockKinds are the algorithms by class of lock, for the machine.
func (p *Plan) lockKinds() (map[string]machine.Kind, error) {
	out := map[string]machine.Kind{}
	for class, name := range map[string]string{machine.AnyClass: anyLock, profiles.ClassHostLock: hostLockKind} {
		v, _ := p.value(name)
		kind, err := machine.ParseKind(v.Text)
		if err != nil {
			return nil, spec.Usagef("%s: %w", v.Name, err)
		}
		out[class] = kind
	}
	for _, class := range LockClasses() {
		v, _ := p.value(lockPrefix + class)
		if _, done := out[class]; done || !chosen(v) {
			continue
		}
		kind, err := machine.ParseKind(v.Text)
		if err != nil {
			return nil, spec.Usagef("%s: %w", v.Name, err)
		}
		out[class] = kind
	}
	return out, nil
}

// sleeps reports whether some lock puts its waiters to sleep.
func sleeps(kinds map[string]machine.Kind) bool {
	for _, k := range kinds {
		if k == machine.Mutex {
			return true
		}
	}
	return false
}

// mutexKind reports whether the host lock puts its waiters to sleep.
func (p *Plan) mutexKind() bool {
	return p.params.Choice(hostLockKind) == machine.Mutex.String()
}

// noSuchLock says that an algorithm was asked for that no lock had: only the run
// knows, since a driver that relies on the host lock gets one under any strategy.
func (p *Plan) noSuchLock(r *results.Result) []string {
	var out []string
	for _, v := range p.Parameters() {
		class, ok := strings.CutPrefix(v.Name, lockPrefix)
		if !ok || v.Name == anyLock || v.At.Flag == "" ||
			slices.ContainsFunc(r.Locks, func(l results.Lock) bool { return l.Class == class }) {
			continue
		}
		what := cmp.Or(map[string]string{profiles.ClassHostLock: "host lock"}[class], class)
		out = append(out, fmt.Sprintf("%s=%s changes nothing here: strategy %s has no %s", v.Name, v.Text, p.strategy.Name, what))
	}
	return out
}
