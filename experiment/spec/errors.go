package spec

import (
	"errors"
	"fmt"
	"slices"

	"hostlock/machine/param"
)

// UsageError is a request that cannot be met as it was made: an unknown name,
// a value out of range, a file that is wrong. Its text is one line that names
// what is legal; a file with several faults has a line for each. The command
// ends with status 2 and has written nothing.
type UsageError struct {
	At        param.Place // zero where no file or flag says it
	Parameter string      // the parameter, key or flag that is wrong; "" where it is none
	Text      string      // all of it, the place included
	Err       error       // the cause, where there is one
}

func (e *UsageError) Error() string { return e.Text }

// Unwrap is the cause.
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef makes a [UsageError]; a %w in the format gives its cause. Where that
// is a parameter's error, it gives parameter and place, too.
func Usagef(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	u := &UsageError{Text: err.Error()}
	if w, ok := err.(interface{ Unwrap() error }); ok {
		u.Err = w.Unwrap()
	}
	var cause *UsageError
	var p *param.Error
	switch {
	case errors.As(u.Err, &cause):
		u.At, u.Parameter = cause.At, cause.Parameter
	case errors.As(u.Err, &p):
		u.At, u.Parameter = p.At, p.Name
	}
	return u
}

// ErrorAt makes a [UsageError] about a key or parameter at a place, which it
// names first.
func ErrorAt(at param.Place, parameter, format string, args ...any) error {
	u := Usagef(format, args...).(*UsageError)
	u.At, u.Parameter = at, parameter
	switch {
	case at.Line > 0:
		u.Text = at.String() + ": " + u.Text
	case at.Flag != "":
		u.Text = at.Flag + " " + u.Text
	}
	return u
}

// WrongSetting is the [UsageError] of what a parameter set says about a setting.
func WrongSetting(err error) error {
	var p *param.Error
	if !errors.As(err, &p) {
		return Usagef("%w", err)
	}
	if p.Unknown && slices.Contains(experimentKeys[""], p.Name) {
		return ErrorAt(p.At, p.Name, "unknown parameter %q; legal: %s = ... at the head of an experiment's file, whose key it is (lab show experiment NAME > mine.toml), or a flag of that name where the command has one", p.Name, p.Name)
	}
	return ErrorAt(p.At, p.Name, "%w", err)
}
