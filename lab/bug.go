package lab

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

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
	var run *experiment.Bug
	named := errors.As(err, &run)
	if !named {
		run = &experiment.Bug{}
	}
	switch owner := f.strategy(run.Strategy); {
	case owner != "":
		line("this is a bug in strategy %s, not in your request: please report it to whoever wrote the strategy", owner)
	case f.visited(run.Strategy):
		line("this is a bug, not in your request: strategy %s broke a rule of the lab, or the lab is wrong; please report it to whoever wrote the strategy", run.Strategy)
	default:
		line("this is a bug in the lab, not in your request: please report it")
	}
	line("what happened: %s", oneLine(panicked.What()))
	if f.where != "" {
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
