package dispatch

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"hostlock/machine"
)

// Uses are the calls of one verb of somebody's code, on a machine that charges
// operations. A verb that gives different answers to equal arguments has looked at
// something that changes; where it has made no operation of the machine to do so,
// its synchronisation costs nothing here (a sync.Mutex, an atomic of Go's own), and
// its figures are none.
type Uses struct {
	Verb  string
	Calls int64
	// Counts says that the verb cannot do without an operation: it counts something
	// that others count, too, whatever it answers.
	Counts bool
	free   int64 // without an operation
	// Of those, what was answered to each argument last, and whether it was ever
	// something else.
	answers map[any]any
	differ  bool
}

// Begin is called before the verb; what it returns goes to End.
func (u *Uses) Begin(t *machine.Thread) uint64 {
	if u == nil {
		return 0
	}
	return t.Operations()
}

// End takes a call in: its argument, and whether it found something.
func (u *Uses) End(t *machine.Thread, before uint64, arg any, found bool) {
	if u == nil {
		return
	}
	u.Calls++
	if t.Operations() != before {
		return
	}
	u.free++
	if last, asked := u.answers[arg]; asked && last != found {
		u.differ = true
	}
	u.answers[arg] = found
}

// Nothing is what is wrong with the verb; "" where nothing is. A verb that makes an
// operation now and then only has answers that it need not look up.
func (u *Uses) Nothing() string {
	const enough = 16 // calls, before one that must count is told to count nothing
	answers := " and gave different answers"
	switch {
	case u.free < u.Calls, !u.differ && (!u.Counts || u.Calls < enough):
		return ""
	case !u.differ:
		answers = ", though it must count"
	}
	return fmt.Sprintf("%s made no machine operation in %d calls%s: its synchronisation costs nothing here, and the figures are none; a lock, an atomic or a channel of Go's own is not seen by the machine (use machine.SpinLock, Word and Touch)", u.Verb, u.Calls, answers)
}

// Uses begins an account of a verb of code that is not the lab's own, given by a
// function or a value of it; nil where it is, or where the machine charges
// nothing.
func (h *Host) Uses(verb string, of any) *Uses {
	if h.sys.m.Name() == "live" || own(of) {
		return nil
	}
	u := &Uses{Verb: verb, answers: map[any]any{}}
	h.sys.uses = append(h.sys.uses, u)
	return u
}

// own reports whether a function or a type lies in package strategies, whose
// operations are known.
func own(of any) bool {
	v := reflect.ValueOf(of)
	name := ""
	if v.Kind() == reflect.Func {
		name = runtime.FuncForPC(v.Pointer()).Name()
	} else {
		name = reflect.Indirect(v).Type().PkgPath() + "."
	}
	return strings.HasPrefix(name, "hostlock/strategies.")
}

// Free says which verbs made no machine operation although they looked at what
// changes: a line each.
func (sys *System) Free() []string {
	var out []string
	for _, u := range sys.uses {
		if text := u.Nothing(); text != "" {
			out = append(out, "strategy "+sys.cfg.Strategy+": "+text)
		}
	}
	return out
}
