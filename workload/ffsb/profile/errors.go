package profile

import (
	"fmt"
	"strconv"
	"strings"
)

// Pos is a place in a profile. The zero Pos stands for a value that no file
// gave: a default, or one set by a program.
type Pos struct {
	File string // as given to Parse
	Line int    // from 1
}

// IsValid reports whether p is a place in a file.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns "file:line", or "" for the zero Pos. A line break in the
// file's name is written as an escape, so that the result is one line.
func (p Pos) String() string {
	if !p.IsValid() {
		return ""
	}
	return oneLine(p.File) + ":" + strconv.Itoa(p.Line)
}

// Error is what is wrong with a profile, and where.
type Error struct {
	Pos Pos    // zero when the profile came from a program
	Msg string // one line: what is wrong; what is legal
	Err error  // what lies behind it, such as an error of the reader; may be nil
}

// Error returns "file:line: what is wrong; what is legal", on one line.
func (e *Error) Error() string { return at(e.Pos, e.Msg) }

// Unwrap returns what lies behind the error, or nil.
func (e *Error) Unwrap() error { return e.Err }

func errorAt(pos Pos, format string, args ...any) *Error {
	return &Error{Pos: pos, Msg: oneLine(fmt.Sprintf(format, args...))}
}

func at(pos Pos, msg string) string {
	if !pos.IsValid() {
		return msg
	}
	return pos.String() + ": " + msg
}

// oneLine escapes whatever would break a line or a terminal. Profiles may
// hold any byte, and messages quote them.
func oneLine(s string) string {
	clean := func(r rune) bool { return !strconv.IsPrint(r) || r == '\uFFFD' }
	if strings.IndexFunc(s, clean) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if clean(r) {
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
