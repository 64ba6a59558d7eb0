package layout

import (
	"fmt"
	"slices"
	"strings"

	"hostlock/closest"
	"hostlock/machine"
)

// Line is fields that share one cache line.
type Line struct {
	Name     string   // in reports; "" is the first field's name
	Fields   []string // by full name
	Strategy string   // the one strategy that it is for; "" is any
	Source   string
}

// Label is the line's name in reports.
func (l Line) Label() string {
	if l.Name != "" {
		return l.Name
	}
	return l.Fields[0]
}

// Layout is a table of lines.
type Layout struct {
	Name, Title string
	Lines       []Line
}

// Check says what is wrong with one line of a layout beside those before it; ""
// is nothing.
func (l *Layout) Check(i int) string {
	line := l.Lines[i]
	if len(line.Fields) == 0 {
		return "a line without fields"
	}
	var scope Scope
	for n, name := range line.Fields {
		f, ok := Lookup(name)
		switch {
		case !ok:
			return fmt.Sprintf("unknown field %q; legal: %s%s", name, strings.Join(Names(), ", "), closest.Hint(name, Names()))
		case slices.Contains(line.Fields[:n], name):
			return fmt.Sprintf("field %s is named twice", name)
		case n > 0 && f.Scope != scope:
			return fmt.Sprintf("%s and %s can share no line: one is there once %v, the other once %v", line.Fields[0], name, scope, f.Scope)
		}
		scope = f.Scope
		for _, o := range l.Lines[:i] {
			if slices.Contains(o.Fields, name) && (o.Strategy == line.Strategy || o.Strategy == "" || line.Strategy == "") {
				return fmt.Sprintf("field %s lies on line %s already", name, o.Label())
			}
		}
	}
	return ""
}

// Map is a layout at work in one run. It remembers who asked for what, so that a
// result can say which fields share a line.
type Map struct {
	lines  []Line
	at     map[string]int // field to line
	placed map[string]bool
	shared map[string][]string // by a line's class
	order  []string
}

// NewMap puts a layout to work under a strategy; nil places nothing.
func NewMap(l *Layout, strategy string) *Map {
	m := &Map{at: map[string]int{}, placed: map[string]bool{}, shared: map[string][]string{}}
	if l == nil {
		return m
	}
	for _, line := range l.Lines {
		if line.Strategy != "" && line.Strategy != strategy {
			continue
		}
		for _, f := range line.Fields {
			m.at[f] = len(m.lines)
		}
		m.lines = append(m.lines, line)
	}
	return m
}

// Placed lists the fields that the layout has placed for somebody.
func (m *Map) Placed() []string { return sortedKeys(m.placed) }

// Classes lists the classes of lines that somebody has a field on, in the order
// in which they were asked for.
func (m *Map) Classes() []string {
	return slices.DeleteFunc(slices.Clone(m.order), func(c string) bool { return len(m.shared[c]) == 0 })
}

// FieldsOf lists the fields on lines of a class, by name; nil where nobody has
// said what is there.
func (m *Map) FieldsOf(class string) []string {
	fields := slices.Clone(m.shared[class])
	slices.Sort(fields)
	return fields
}

// note notes where a field lies: a later owner takes it from an earlier one.
func (m *Map) note(class, field string) {
	if slices.Contains(m.shared[class], field) {
		return
	}
	for other, fields := range m.shared {
		m.shared[other] = slices.DeleteFunc(fields, func(f string) bool { return f == field })
	}
	if _, known := m.shared[class]; !known {
		m.order = append(m.order, class)
	}
	m.shared[class] = append(m.shared[class], field)
}

// Object is one instance of the structs of a scope: one host, one target, one
// device with its queue.
type Object struct {
	m     *Map
	lines map[int]*machine.Line
}

// Object makes an instance.
func (m *Map) Object() *Object { return &Object{m: m, lines: map[int]*machine.Line{}} }

// at is the line where the layout has a field; nil where it has it nowhere.
func (o *Object) at(field string) *machine.Line {
	i, ok := o.m.at[field]
	if !ok {
		return nil
	}
	o.m.placed[field] = true
	if o.lines[i] == nil {
		o.lines[i] = machine.NewLine(o.m.lines[i].Label())
	}
	o.m.note(o.lines[i].Class, field)
	return o.lines[i]
}

// Own is a line that the owner of some fields has them on, unless the layout has
// them elsewhere.
type Own struct {
	o    *Object
	line *machine.Line
}

// Own declares one; the class names it in reports.
func (o *Object) Own(class string) Own { return Own{o, machine.NewLine(class)} }

// Line is the line of one field, such as a Word.
func (w Own) Line(field string) *machine.Line {
	known(field)
	if l := w.o.at(field); l != nil {
		return l
	}
	w.o.m.note(w.line.Class, field)
	return w.line
}

// Fields is where several fields lie that are used together.
func (w Own) Fields(fields ...string) machine.Fields {
	var lines []*machine.Line
	for _, f := range fields {
		lines = append(lines, w.Line(f))
	}
	return machine.FieldsOn(lines...)
}

// Placed is where fields lie that only a layout gives a line: what is read and
// hardly ever written costs nothing on a line that nobody writes.
func (o *Object) Placed(fields ...string) machine.Fields {
	var lines []*machine.Line
	for _, f := range fields {
		known(f)
		lines = append(lines, o.at(f))
	}
	return machine.FieldsOn(lines...)
}

// InitLock makes a lock ready whose word is a field: on a line of its own, unless
// the layout has it elsewhere.
func (o *Object) InitLock(l *machine.SpinLock, m machine.Machine, class, field string) {
	known(field)
	line := o.at(field)
	if line == nil {
		l.Init(m, class)
		o.m.note(class, field)
		return
	}
	l.InitOn(m, class, line)
}

// known panics where a field was not registered: no layout could name it.
func known(field string) {
	if _, ok := Lookup(field); !ok {
		panic(machine.Misuse("layout: field " + field + " was not registered"))
	}
}

func sortedKeys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
