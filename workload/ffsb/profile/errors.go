package profile

import (
	"cmp"
	"fmt"
	"slices"
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

// reader is what the parsers of all generations share: the lines, the place
// in them, and the warnings so far.
type reader struct {
	gen      Generation
	lines    []line
	end      Pos // last line of the file
	section  Pos // header of the section being read; zero among the globals
	warnings []warning
}

// warning is something that FFSB accepts and that may surprise.
type warning struct {
	pos Pos
	msg string
}

// peek returns the next line without taking it.
func (r *reader) peek() (line, bool) {
	if len(r.lines) == 0 {
		return line{}, false
	}
	return r.lines[0], true
}

// take returns the next line.
func (r *reader) take() (line, bool) {
	l, ok := r.peek()
	if ok {
		r.lines = r.lines[1:]
	}
	return l, ok
}

func (r *reader) warn(pos Pos, format string, args ...any) {
	r.warnings = append(r.warnings, warning{pos: pos, msg: oneLine(fmt.Sprintf(format, args...))})
}

// sorted returns the warnings in the order of the file: checks come after
// reading, but a user goes through a file from its top.
func (r *reader) sorted() []string {
	slices.SortStableFunc(r.warnings, func(a, b warning) int { return cmp.Compare(a.pos.Line, b.pos.Line) })
	var out []string
	for _, w := range r.warnings {
		out = append(out, at(w.pos, w.msg))
	}
	return out
}

// entry is one setting as written.
type entry struct {
	key, val string
	list     bool // without '='
	pos      Pos
}

func (e entry) String() string {
	if e.list {
		return e.key + " " + e.val
	}
	return e.key + "=" + e.val
}

func (e entry) err(p problem) error {
	return errorAt(e.pos, "%s: %s", e, string(p))
}

// again warns of a setting that the same section already holds. old lies
// before the section when generation B inherited it, which is no repetition.
func (r *reader) again(e entry, old Pos) {
	if old.Line > r.section.Line {
		r.warn(e.pos, "%s is given again; the last one counts, not that of line %d", e.key, old.Line)
	}
}

// plainEntry splits a line of generation A or B. Both read a value with
// sscanf, so a number or a path ends at the first blank; whole keeps the rest
// of the line, as for callout.
func (r *reader) plainEntry(l line, whole bool) entry {
	key, val, _ := strings.Cut(l.text, "=")
	e := entry{key: trimBlanks(key), val: trimBlanks(val), pos: l.pos}
	if whole {
		return e
	}
	word, rest := cutWord(e.val)
	e.val = word
	if e.key != "location" {
		if before, _, ok := strings.Cut(word, "#"); ok {
			e.val, rest = before, ""
		}
	}
	if rest != "" && rest[0] != '#' {
		r.warn(l.pos, "%s: text after the value is ignored: %s", e, rest)
	}
	return e
}
