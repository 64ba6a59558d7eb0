package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

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
