// Package param holds the numbers that a run depends on: each declared once,
// by the package that uses it, with its unit, its legal range and where it
// comes from; each settable by an experiment's file or on the command line;
// each listed in the result.
package param

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"hostlock/closest"
)

// Kind says how a parameter's text is read.
type Kind uint8

const (
	Duration Kind = iota // "1.5us"; kept in nanoseconds
	Int
	Float
	Bool
	Bytes // "4k", powers of 1024; kept in bytes
	Choice
)

var units = [...]string{"ns", "", "", "bool", "bytes", "choice"}

// Spec declares a parameter.
type Spec struct {
	Name    string // "mptsas.queuecommand": owner, dot, name
	Kind    Kind
	Default string
	Min     float64 // legal range of a number, both ends legal; ignored where both are 0
	Max     float64
	Choices []string
	Unit    string // where the kind does not say it
	About   string // one line: what it is
	Source  string // where the default comes from, or the reason for it
}

// Value is a declared parameter and what it is set to.
type Value struct {
	Spec
	Text   string // as written
	Num    float64
	Fitted bool   // neither a cited number nor a formula of cited numbers
	From   string // the source of this value where it is not the default's
	At     Place  // where it was set; zero for a default
}

// UnitName is the unit of Num.
func (v Value) UnitName() string {
	if v.Unit != "" {
		return v.Unit
	}
	return units[v.Kind]
}

// SourceText is where the value comes from.
func (v Value) SourceText() string {
	if v.From != "" {
		return v.From
	}
	return v.Source
}

// Set is the parameters of one run.
type Set struct {
	values map[string]*Value
	names  []string
}

// New is an empty set.
func New() *Set { return &Set{values: map[string]*Value{}} }

// Declare adds parameters with their defaults. It panics on a name declared
// twice or a default out of its own range: both are faults of the program.
func (s *Set) Declare(specs ...Spec) {
	for _, spec := range specs {
		if _, dup := s.values[spec.Name]; dup {
			panic("param: " + spec.Name + " declared twice")
		}
		v := &Value{Spec: spec, Text: spec.Default}
		num, err := spec.parse(spec.Default)
		if err != nil {
			panic("param: default of " + spec.Name + ": " + err.Error())
		}
		v.Num = num
		s.values[spec.Name] = v
		s.names = append(s.names, spec.Name)
	}
}

// Set gives a parameter a value from text, and leaves its source alone. Its
// error is an [*Error]: one line that names the parameter and what is legal.
func (s *Set) Set(name, text string) error {
	v := Setting{Name: name, Value: text}
	if p, ok := s.values[name]; ok {
		v.Fitted, v.Source, v.At = p.Fitted, p.From, p.At
	}
	return s.Apply(v)
}

// Has reports whether the parameter is declared.
func (s *Set) Has(name string) bool { _, ok := s.values[name]; return ok }

// Values lists all parameters, in the order in which they were declared.
func (s *Set) Values() []Value {
	out := make([]Value, 0, len(s.names))
	for _, n := range s.names {
		out = append(out, *s.values[n])
	}
	return out
}

// Clone is an independent copy.
func (s *Set) Clone() *Set {
	c := &Set{values: make(map[string]*Value, len(s.values)), names: append([]string(nil), s.names...)}
	for n, v := range s.values {
		cp := *v
		c.values[n] = &cp
	}
	return c
}

// Filter is an independent copy with the parameters whose names are kept.
func (s *Set) Filter(keep func(name string) bool) *Set {
	c := New()
	for _, n := range s.names {
		if keep(n) {
			cp := *s.values[n]
			c.values[n], c.names = &cp, append(c.names, n)
		}
	}
	return c
}

func (s *Set) get(name string, kind Kind) *Value {
	v, ok := s.values[name]
	if !ok || v.Kind != kind {
		panic("param: " + name + " is not declared with this kind")
	}
	return v
}

// Duration, Int, Float, Bool, Bytes and Choice read a declared parameter of
// that kind; they panic on any other, a fault of the program.
func (s *Set) Duration(name string) time.Duration {
	return time.Duration(math.Round(s.get(name, Duration).Num))
}
func (s *Set) Int(name string) int       { return int(s.get(name, Int).Num) }
func (s *Set) Float(name string) float64 { return s.get(name, Float).Num }
func (s *Set) Bool(name string) bool     { return s.get(name, Bool).Num != 0 }
func (s *Set) Bytes(name string) int64   { return int64(s.get(name, Bytes).Num) }
func (s *Set) Choice(name string) string { return s.get(name, Choice).Text }

// parse reads a value. Its error is an [*Error] without a name.
func (sp Spec) parse(text string) (float64, error) {
	text = strings.TrimSpace(text)
	bad := func(what, legal string) (float64, error) { return 0, &Error{text: what, Legal: legal} }
	var num float64
	var err error
	switch sp.Kind {
	case Duration:
		num, err = ParseDuration(text)
	case Int:
		n, notWhole := strconv.ParseInt(text, 10, 64)
		if notWhole != nil {
			return bad("not a whole number", sp.wholeNumbers())
		}
		num = float64(n)
	case Float:
		num, err = strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(num) || math.IsInf(num, 0) {
			return bad("not a number", "a finite one, such as 0.25")
		}
	case Bool:
		switch text {
		case "true", "1":
			num = 1
		case "false", "0":
		default:
			return bad("not a boolean", "true, false")
		}
	case Bytes:
		num, err = ParseBytes(text)
	case Choice:
		if !slices.Contains(sp.Choices, text) {
			return bad("no such choice", strings.Join(sp.Choices, ", "))
		}
		return 0, nil
	}
	switch most := sp.most(); {
	case err != nil:
		return 0, err
	case (sp.Min != 0 || sp.Max != 0) && (num < sp.Min || num > sp.Max):
		return bad("out of range", sp.show(sp.Min)+" to "+sp.show(sp.Max))
	case math.Abs(num) > most:
		return bad("out of range", "up to "+sp.show(most))
	case num < 0 && sp.Min >= 0:
		return bad("negative", sp.show(0)+" or more")
	}
	return num, nil
}

// most bounds what has no range of its own: far beyond what the model is meant
// for, and far enough from where a sum of such numbers would overflow.
func (sp Spec) most() float64 {
	switch sp.Kind {
	case Duration:
		return float64(24 * time.Hour)
	case Bytes:
		return 1 << 50
	}
	return 1 << 53 // beyond it not every whole number is a float64
}

func (sp Spec) wholeNumbers() string {
	if sp.Min != 0 || sp.Max != 0 {
		return sp.show(sp.Min) + " to " + sp.show(sp.Max)
	}
	return "digits alone, such as 64"
}

func (sp Spec) show(n float64) string {
	if sp.Kind == Duration {
		return time.Duration(n).String()
	}
	if sp.Kind == Int {
		return strconv.FormatFloat(n, 'f', -1, 64) // 1048576, not 1.048576e+06
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}

// ParseDuration reads "1.5us", "20ns", "2s"; a bare number is refused unless
// it is 0. It returns nanoseconds, with their fraction.
func ParseDuration(text string) (float64, error) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "µ", "u")
	if text == "0" {
		return 0, nil
	}
	for _, u := range []struct {
		suffix string
		ns     float64
	}{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}} {
		if num, ok := strings.CutSuffix(text, u.suffix); ok {
			f, err := strconv.ParseFloat(num, 64)
			if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
				continue
			}
			return f * u.ns, nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil { // "1m30s"
		return float64(d), nil
	}
	return 0, &Error{text: "not a duration", Legal: "a number and ns, us, ms, s, m or h, such as 1.5us"}
}

// ParseBytes reads "512", "4k", "256KiB", "1m": powers of 1024.
func ParseBytes(text string) (float64, error) {
	t := strings.ToLower(strings.TrimSpace(text))
	t = strings.TrimSuffix(strings.TrimSuffix(t, "b"), "i")
	mult := 1.0
	switch {
	case strings.HasSuffix(t, "k"):
		mult = 1 << 10
	case strings.HasSuffix(t, "m"):
		mult = 1 << 20
	case strings.HasSuffix(t, "g"):
		mult = 1 << 30
	}
	if mult > 1 {
		t = t[:len(t)-1]
	}
	n, err := strconv.ParseUint(t, 10, 40)
	if err != nil {
		return 0, &Error{text: "not a size", Legal: "a whole number of bytes, or with k, m or g (powers of 1024)"}
	}
	return float64(n) * mult, nil
}

// near names the parameters that a mistyped one is the end of, with what it
// belongs to left out, then those that are the fewest edits away, as they were declared.
func (s *Set) near(name string) string {
	ends := func(n string) int {
		if strings.HasSuffix(n, "."+name) {
			return 0
		}
		return 1
	}
	edits := func(n string) int {
		_, last, _ := strings.Cut(n, ".")
		return min(closest.Distance(name, n), closest.Distance(name, last))
	}
	list := append([]string(nil), s.names...)
	slices.SortStableFunc(list, func(a, b string) int {
		if ends(a) == 0 && ends(b) == 0 {
			return 0 // as they were declared: a run's own driver comes before others
		}
		return cmp.Or(cmp.Compare(ends(a), ends(b)), cmp.Compare(edits(a), edits(b)))
	})
	const enough = 8
	more := ""
	if len(list) > enough {
		list, more = list[:enough], fmt.Sprintf(", and %d more (lab list parameters)", len(s.names)-enough)
	}
	return strings.Join(list, ", ") + more
}
