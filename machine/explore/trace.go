package explore

import (
	"path/filepath"
	"runtime"
	"strings"
)

// record keeps an operation for the report, with the place in the code under
// test that it comes from.
func (m *Machine) record(p *proc, k opKind, o *object) {
	s := Step{Agent: p.name, Op: opNames[k]}
	if o != nil {
		if o.nr == 0 {
			o.class.named++
			o.nr = o.class.named
		}
		s.Object = o.class.name + "#" + itoa(o.nr)
	}
	if k != opBegin {
		s.Where = where()
	}
	m.trace = append(m.trace, s)
}

// where is the nearest caller outside the machine and its seam.
func where() string {
	var pcs [32]uintptr
	n := runtime.Callers(3, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "hostlock/machine.") && !strings.HasPrefix(f.Function, "hostlock/machine/explore.") {
			return filepath.Base(f.File) + ":" + itoa(f.Line)
		}
		if !more {
			return ""
		}
	}
}

// recordPlain keeps a use of plain fields, for whoever reads the schedule.
func (m *Machine) recordPlain(p *proc, ln *line, write bool, where string) {
	k := opRead
	if write {
		k = opWrite
	}
	m.trace = append(m.trace, Step{Agent: p.name, Op: opNames[k], Object: ln.l.Class, Where: where})
}
