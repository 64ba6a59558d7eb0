package lab

import (
	"reflect"
	"runtime"
	"strings"

	"hostlock/dispatch"
)

// fault is where a panic came from, as far as its stack says.
type fault struct {
	where  string   // function, file and line of the innermost frame of ours or a user's
	frames []string // functions from there outwards
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
		if len(f.frames) == 0 {
			at, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
			f.where = name + ", " + at
		}
		f.frames = append(f.frames, name)
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
