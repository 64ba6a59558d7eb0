package workload

import (
	"fmt"
	"strings"

	"hostlock/machine/param"
)

// Format is one kind of workload file, registered by the package that reads
// it.
type Format struct {
	Kind  string // such as "ffsb"
	About string // one line: what such a file looks like
	// Command says that a workload of this kind is one command line, which
	// [Load] takes in place of a name or a file.
	Command bool
	// Recognise reports whether a text is of this kind. Formats are asked in
	// order of registration; the first that says yes reads the text, and what
	// is wrong with it is then that format's to say.
	Recognise func(text []byte) bool
	// Parse reads a text. name stands for the file in every position. Its
	// error is one line, "file:line: what is wrong; what is legal".
	Parse func(name string, text []byte) (Workload, error)
	// Params are the parameters that workloads of this kind read, for an
	// experiment that is run with one of another kind.
	Params []param.Spec
	// Builtins are the files that come with the package, in the order in which
	// they are listed.
	Builtins []Builtin
}

// Builtin is a workload that can be named.
type Builtin struct {
	Name  string
	About string // one line
	Text  []byte // positions in it are NAME:line
}

// Info describes a workload that can be named.
type Info struct {
	Name  string
	Kind  string
	About string
}

var formats []Format

// Register makes a format known. It panics where the kind, or a built-in's
// name, is taken. Call it from init.
func Register(f Format) {
	if f.Kind == "" || f.Recognise == nil || f.Parse == nil {
		panic("workload: format " + f.Kind + " is incomplete")
	}
	for _, o := range formats {
		if o.Kind == f.Kind {
			panic("workload: format " + f.Kind + " registered twice")
		}
	}
	for _, b := range f.Builtins {
		if _, _, taken := find(b.Name); taken {
			panic("workload: " + b.Name + " registered twice")
		}
	}
	formats = append(formats, f)
}

// Builtins lists the workloads that can be named, in order of registration.
func Builtins() []Info {
	var out []Info
	for _, f := range formats {
		for _, b := range f.Builtins {
			out = append(out, Info{Name: b.Name, Kind: f.Kind, About: b.About})
		}
	}
	return out
}

// Params lists the parameters of all kinds, each name once.
func Params() []param.Spec {
	var out []param.Spec
	seen := map[string]bool{}
	for _, f := range formats {
		for _, s := range f.Params {
			if !seen[s.Name] {
				seen[s.Name] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// find looks a built-in up; hyphens and underscores are alike.
func find(name string) (Format, Builtin, bool) {
	want := canonical(name)
	for _, f := range formats {
		for _, b := range f.Builtins {
			if canonical(b.Name) == want {
				return f, b, true
			}
		}
	}
	return Format{}, Builtin{}, false
}

func canonical(name string) string { return strings.ReplaceAll(name, "_", "-") }

// legal names everything that Load takes.
func legal() string {
	var kinds []string
	for _, f := range formats {
		kinds = append(kinds, f.About)
	}
	return fmt.Sprintf("%s, or a file that is %s", strings.Join(builtinNames(), ", "), strings.Join(kinds, " or "))
}

func builtinNames() []string {
	var names []string
	for _, i := range Builtins() {
		names = append(names, i.Name)
	}
	return names
}
