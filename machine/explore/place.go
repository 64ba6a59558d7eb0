package explore

import (
	"net/url"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// Place is a line of source code.
type Place struct {
	File string // import path of its package, and the file's name
	Line int
}

// String is the file's name and the line; empty for no place.
func (p Place) String() string {
	if p.File == "" {
		return ""
	}
	return path.Base(p.File) + ":" + itoa(p.Line)
}

// Full is the place with its package; empty for no place.
func (p Place) Full() string {
	if p.File == "" {
		return ""
	}
	return p.File + ":" + itoa(p.Line)
}

// In reports whether the place is in a package.
func (p Place) In(pkg string) bool {
	if pkg == "main" {
		return p.File != "" && !strings.Contains(p.File, "/")
	}
	return path.Dir(p.File) == pkg
}

// PackageOf is the import path of the package that a function is of.
func PackageOf(function any) string {
	return packageOf(runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name())
}

// stack is a way through the code; what lies further out is left off.
type stack [48]uintptr

// where is a step with the nearest caller outside the machine and its seam, and
// the verb that it belongs to. A way that was taken before is not read again: the
// steps of a loop without end have the same few.
func (m *Machine) where() Step {
	var pcs stack
	n := runtime.Callers(3, pcs[:])
	s, known := m.places[pcs]
	if !known {
		if m.places == nil {
			m.places = map[stack]Step{}
		}
		s = m.whereIs(pcs[:n])
		m.places[pcs] = s
	}
	return s
}

func (m *Machine) whereIs(pcs []uintptr) Step {
	var s Step
	frames := runtime.CallersFrames(pcs)
	var last, before runtime.Frame // inwards from f
	for {
		f, more := frames.Next()
		pkg := packageOf(f.Function)
		if pkg != "hostlock/machine" && pkg != "hostlock/machine/explore" {
			if s.Where.File == "" {
				s.Where = placeOf(f)
			}
			if m.cfg.Caller == "" {
				return s
			}
			if pkg == m.cfg.Caller && last.Function != "" && packageOf(last.Function) != pkg {
				s.Verb = nameOf(last)
				if nameOf(before) == s.Verb {
					last = before // last only passes the call on
				}
				s.Via = placeOf(last)
				return s
			}
			last, before = f, last
		}
		if !more {
			return s
		}
	}
}

// nameOf is a function's name without its package and receiver.
func nameOf(f runtime.Frame) string {
	return f.Function[strings.LastIndexByte(f.Function, '.')+1:]
}

// packageOf is the import path in a function's name.
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[slash:], '.')
	if dot < 0 {
		return function
	}
	p := function[:slash+dot]
	if plain, err := url.PathUnescape(p); err == nil { // dots of the last element are escaped
		return plain
	}
	return p
}

func placeOf(f runtime.Frame) Place {
	file := filepath.Base(f.File)
	if pkg := packageOf(f.Function); pkg != "main" {
		file = pkg + "/" + file
	}
	return Place{File: file, Line: f.Line}
}
