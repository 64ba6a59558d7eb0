package param

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Place is where a request says something: a line of a file, or a flag of the
// command line. The zero Place stands for what nobody said.
type Place struct {
	File string
	Line int    // from 1
	Flag string // "--set"
}

// IsValid reports whether p is a place at all.
func (p Place) IsValid() bool { return p.Line > 0 || p.Flag != "" }

// String is "file:line", or the flag; "" for the zero Place.
func (p Place) String() string {
	if p.Line > 0 {
		return p.File + ":" + strconv.Itoa(p.Line)
	}
	return p.Flag
}

// SetFlag is the place of every value that --set gives.
var SetFlag = Place{Flag: "--set"}

// CommandLine is the source of a value that was given with the run.
const CommandLine = "the command line"

// Setting gives a parameter a value.
type Setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Fitted bool   `json:"-"` // neither a cited number nor a formula of cited numbers
	Source string `json:"-"` // where the value comes from; "" is [CommandLine] where a flag gives it
	Doubt  string `json:"-"` // why a measured value is not to be relied on: [Unsteady], [Beside], or both
	At     Place  `json:"-"` // of the value
	NameAt Place  `json:"-"` // of the name, where that is on another line
}

// Doubts about a measured value.
const (
	Unsteady = "unsteady" // its repetitions disagree
	Beside   = "beside"   // other processes used the processors meanwhile
)

// ParseSetting reads "name=value". Its error is an [*Error].
func ParseSetting(text string) (Setting, error) {
	name, value, ok := strings.Cut(text, "=")
	s := Setting{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value), At: SetFlag}
	if !ok || s.Name == "" || s.Value == "" {
		return s, &Error{Name: s.Name, Legal: "name=value, such as mptsas.queuecommand=1us or scale=4", At: s.At}
	}
	return s, nil
}

// String is the setting as ParseSetting reads it.
func (s Setting) String() string { return s.Name + "=" + s.Value }

// Same reports whether two lists give the same values to the same names,
// wherever they come from.
func Same(a, b []Setting) bool {
	return slices.EqualFunc(a, b, func(a, b Setting) bool { return a.Name == b.Name && a.Value == b.Value })
}

// Values is a list of settings as a map; where a name is given more than once,
// the last one counts.
func Values(list []Setting) map[string]string {
	out := make(map[string]string, len(list))
	for _, s := range list {
		out[s.Name] = s.Value
	}
	return out
}

// Error is what is wrong with a parameter's name or value: one line.
type Error struct {
	Name    string // the parameter
	Value   string // what it was to be; "" where the name is the fault
	Legal   string
	Unknown bool // no such parameter is declared
	At      Place
	text    string // what is wrong
}

// Errorf makes an error about a parameter whose values pass one by one and do
// not fit together, or do not fit the driver.
func Errorf(name, legal, format string, args ...any) *Error {
	return &Error{Name: name, Legal: legal, text: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string {
	switch {
	case e.Legal == "":
		return e.text
	case e.text == "":
		return "legal: " + e.Legal
	}
	return e.text + "; legal: " + e.Legal
}

// Apply gives a parameter a value, and says where it comes from. Its error is
// an [*Error] with the setting's place.
func (s *Set) Apply(v Setting) error {
	p, ok := s.values[v.Name]
	if !ok {
		return &Error{Name: v.Name, Unknown: true, At: cmpPlace(v.NameAt, v.At), Legal: s.near(v.Name), text: fmt.Sprintf("unknown parameter %q", v.Name)}
	}
	num, err := p.parse(v.Value)
	if err != nil {
		e := err.(*Error) // parse makes no other
		return &Error{Name: v.Name, Value: v.Value, At: v.At, Legal: e.Legal, text: v.Name + "=" + v.Value + ": " + e.text}
	}
	p.Text, p.Num = strings.TrimSpace(v.Value), num
	p.Fitted, p.From, p.At = v.Fitted, v.Source, v.At
	if p.From == "" && v.At.Flag != "" {
		p.From = CommandLine
	}
	return nil
}

func cmpPlace(a, b Place) Place {
	if a.IsValid() {
		return a
	}
	return b
}
