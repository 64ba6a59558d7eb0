package layout

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Scope is how often a struct is there. Only fields of one scope can share a line.
type Scope uint8

const (
	PerHost Scope = iota
	PerTarget
	PerDevice // the device and its queue come as a pair
)

// String is the scope as a person says it.
func (s Scope) String() string {
	return [...]string{"a host", "a target", "a device"}[s]
}

// Field is a field of a kernel struct that the lab knows by name.
type Field struct {
	Name  string // "scsi_device.device_busy"
	Scope Scope
	About string
	Alias string // what the field was called in other versions, without its struct; "" is nothing
}

// Struct is the struct that the field is in.
func (f Field) Struct() string {
	s, _, _ := strings.Cut(f.Name, ".")
	return s
}

var registry struct {
	mu     sync.Mutex
	fields map[string]Field
}

// Register makes fields known that a layout may place: a strategy's own, for one
// whose structs the kernel does not have. It panics on a name given twice, a fault
// of the program.
func Register(fields ...Field) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if registry.fields == nil {
		registry.fields = map[string]Field{}
	}
	for _, f := range fields {
		if _, dup := registry.fields[f.Name]; dup || !strings.Contains(f.Name, ".") {
			panic("layout: field " + f.Name + " registered twice, or without its struct")
		}
		registry.fields[f.Name] = f
	}
}

// Fields lists every field that a layout may place, by name.
func Fields() []Field {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	out := make([]Field, 0, len(registry.fields))
	for _, f := range registry.fields {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Names lists their names.
func Names() []string {
	var out []string
	for _, f := range Fields() {
		out = append(out, f.Name)
	}
	return out
}

// Lookup finds a field by its full name.
func Lookup(name string) (Field, bool) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	f, ok := registry.fields[name]
	return f, ok
}

// member finds the field that a struct's member stands for: by its name, or by a
// name that it had in another version.
func member(strct, name string) (f Field, alias, ok bool) {
	if f, ok = Lookup(strct + "." + name); ok {
		return f, false, true
	}
	for _, f := range Fields() {
		if f.Alias == name && f.Struct() == strct {
			return f, true, true
		}
	}
	return Field{}, false, false
}
