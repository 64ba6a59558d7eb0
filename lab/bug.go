package lab

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/machine"
	"hostlock/program"
)

// bugReport is what a person reads who has met a panic: what happened, whose
// fault it is, and what to report. The stack comes last, since it is long.
func bugReport(err error, args []string) string {
	var panicked *machine.Panicked
	if !errors.As(err, &panicked) {
		return ""
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "lab: "+format+"\n", args...) }
	f := faultOf(panicked.Stack)
	var misuse machine.Misuse
	var broken *dispatch.Broken
	cause, _ := panicked.Value.(error)
	if errors.As(cause, &misuse) {
		f = f.outside("hostlock/machine.")
	}
	var run *experiment.Bug
	named := errors.As(err, &run)
	if !named {
		run = &experiment.Bug{}
	}
	switch owner := f.strategy(run.Strategy); {
	case errors.As(cause, &broken):
		line("this is a bug in strategy %s, not in your request: please report it to whoever wrote the strategy", broken.Strategy)
	case owner != "":
		line("this is a bug in strategy %s, not in your request: please report it to whoever wrote the strategy", owner)
	case f.visited(run.Strategy):
		line("this is a bug, not in your request: strategy %s broke a rule of the lab, or the lab is wrong; please report it to whoever wrote the strategy", run.Strategy)
	default:
		line("this is a bug in the lab, not in your request: please report it")
	}
	line("what happened: %s", oneLine(panicked.What()))
	if f.where != "" && broken == nil {
		line("where: %s", f.where)
	}
	if named {
		line("run: %s", run.Run())
	}
	line("command: %s", commandLine(args))
	line("version: %s", versionLine())
	line("report the lines above, and the stack:")
	b.WriteString(strings.TrimSpace(panicked.Stack) + "\n")
	return b.String()
}

// tellBug prints the report of an error that is a panic, and says whether it
// was one.
func (a *app) tellBug(err error) bool {
	report := bugReport(err, a.args)
	if report == "" {
		return false
	}
	_, _ = io.WriteString(a.stderr, report) // where that fails there is nobody to tell
	return true
}

// commandLine is what to type again, in quotes where a shell would need them.
func commandLine(args []string) string {
	out := []string{program.Name()}
	for _, arg := range args {
		if arg == "" || strings.ContainsFunc(arg, func(r rune) bool { return !plainRune(r) }) {
			arg = strconv.Quote(arg)
		}
		out = append(out, arg)
	}
	return strings.Join(out, " ")
}

func plainRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=+./:,@%", r)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// fault is where a panic came from, as far as its stack says.
type fault struct {
	where  string   // function, file and line of the innermost frame of ours or a user's
	frames []string // functions from there outwards
	places []string // where they were
}

// outside is the fault without the innermost frames of a package, which only
// said that its caller is wrong.
func (f fault) outside(pkg string) fault {
	for len(f.frames) > 1 && strings.HasPrefix(f.frames[0], pkg) {
		f.frames, f.places = f.frames[1:], f.places[1:]
		f.where = f.frames[0] + ", " + f.places[0]
	}
	return f
}

// faultOf reads a stack that runtime/debug wrote in a deferred function. What
// lies above the last call of panic is the way to that function; the frames
// of the runtime below it are those of a nil pointer or an index.
func faultOf(stack string) fault {
	var f fault
	lines := strings.Split(stack, "\n")
	for i := 0; i+1 < len(lines); i++ {
		name, ok := frameName(lines[i])
		switch {
		case !ok:
			continue
		case name == "panic":
			f = fault{}
			continue
		case strings.HasPrefix(name, "runtime."), strings.HasPrefix(name, "runtime/debug."):
			continue
		}
		at, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		if len(f.frames) == 0 {
			f.where = name + ", " + at
		}
		f.frames, f.places = append(f.frames, name), append(f.places, at)
	}
	return f
}

// frameName is the function of a frame's first line, "pkg.Func(args)"; the
// second begins with a tab.
func frameName(line string) (string, bool) {
	if line == "" || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "goroutine ") || strings.HasPrefix(line, "created by ") {
		return "", false
	}
	i := strings.LastIndexByte(line, '(')
	if i <= 0 {
		return "", false
	}
	return line[:i], true
}

// own is where the lab's packages begin; what lies elsewhere is a user's.
const own = "hostlock/"

// strategy is the strategy whose own package panicked; "" where that is the
// lab's or of nobody known. Of several in one package it is the one that ran.
func (f fault) strategy(ran string) string {
	if len(f.frames) == 0 {
		return ""
	}
	owner := ""
	for _, s := range dispatch.Strategies() {
		pkg := packageOf(s.New)
		if strings.HasPrefix(pkg, own) || pkg != packageName(f.frames[0]) {
			continue
		}
		if owner == "" || s.Name == ran {
			owner = s.Name
		}
	}
	return owner
}

// visited reports whether the panic came out of what the strategy that ran
// had called.
func (f fault) visited(ran string) bool {
	s, err := dispatch.LookupStrategy(ran)
	if err != nil {
		return false
	}
	pkg := packageOf(s.New)
	if strings.HasPrefix(pkg, own) {
		return false
	}
	for _, name := range f.frames {
		if packageName(name) == pkg {
			return true
		}
	}
	return false
}

func packageOf(f any) string {
	return packageName(runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name())
}

// packageName is the package of a function's full name: everything up to the
// first dot behind the last slash.
func packageName(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	if dot := strings.IndexByte(function[slash:], '.'); dot >= 0 {
		return function[:slash+dot]
	}
	return function
}
