package layout

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Bounds of pahole's output that is read: far more than any struct's.
const (
	maxOffset   = 1 << 20
	maxPlaced   = 4096
	defaultLine = 64
)

var (
	structRE = regexp.MustCompile(`^\s*struct\s+(\w+)\s*\{`)
	// A member, a bit field or an array, with offset and size; its name is the last
	// word before what follows a name.
	memberRE   = regexp.MustCompile(`(?:\(\*\s*(\w+)\)\(.*\)|(\w+)(?:\[[^\]]*\])*(?:\s*:\s*\d+)?(?:\s+__attribute__\(\(.*\)\))?)\s*;\s*/\*\s*(\d+)(?:\s*:\s*\d+)?\s+\d+\s*\*/`)
	boundaryRE = regexp.MustCompile(`---\s*cacheline\s+(\d+)\s+boundary\s+\((\d+)\s+bytes\)`)
)

// IsPahole reports whether a text looks like pahole's output, and not like a
// layout's own file.
func IsPahole(text []byte) bool {
	for line := range bytes.Lines(text) {
		if structRE.Match(line) {
			return true
		}
	}
	return false
}

// ParsePahole reads what pahole prints of structs, for the fields that are
// registered; all other members and structs are passed over. A struct is taken to
// begin on a line. Its error is a [*ParseError].
func ParsePahole(text []byte) (*Layout, error) {
	l := &Layout{Title: "as pahole has it"}
	type place struct {
		strct  string
		offset int
		field  string
		line   int // of the text
		alias  bool
	}
	var places []place
	strct, depth, size, n := "", 0, 0, 0
	sc := bufio.NewScanner(bytes.NewReader(text))
	sc.Buffer(make([]byte, 0, 1<<12), 1<<16)
	fault := func(format string, args ...any) error { return &ParseError{n, fmt.Sprintf(format, args...)} }
	for sc.Scan() {
		n++
		s := sc.Text()
		if m := boundaryRE.FindStringSubmatch(s); m != nil {
			k, err1 := strconv.Atoi(m[1])
			b, err2 := strconv.Atoi(m[2])
			if err1 != nil || err2 != nil || k < 1 || b < k || b%k != 0 || b/k > 4096 || b/k&(b/k-1) != 0 {
				return nil, fault("cacheline %s at %s bytes: no whole line has that size", m[1], m[2])
			}
			if size != 0 && size != b/k {
				return nil, fault("lines of %d bytes here, and of %d before", b/k, size)
			}
			size = b / k
		}
		code, _, _ := strings.Cut(s, "/*")
		if m := structRE.FindStringSubmatch(s); m != nil && depth == 0 {
			strct = m[1]
		}
		if m := memberRE.FindStringSubmatch(s); m != nil && depth+strings.Count(code, "{")-strings.Count(code, "}") == 1 && strct != "" {
			name := m[1] + m[2]
			off, err := strconv.Atoi(m[3])
			if err != nil || off > maxOffset {
				return nil, fault("%s: offset %s is out of range; legal: 0 to %d", name, m[3], maxOffset)
			}
			if f, alias, ok := member(strct, name); ok {
				if len(places) == maxPlaced {
					return nil, fault("more than %d fields", maxPlaced)
				}
				places = append(places, place{strct, off, f.Name, n, alias})
			}
		}
		if depth += strings.Count(code, "{") - strings.Count(code, "}"); depth <= 0 {
			depth, strct = 0, ""
		}
	}
	if err := sc.Err(); err != nil {
		n++
		return nil, fault("%v", err)
	}
	if size == 0 {
		size = defaultLine
	}
	if len(places) == 0 {
		return nil, &ParseError{1, "no struct with a field that the lab places; legal: such as " + strings.Join(Names(), ", ")}
	}
	// A member by the field's own name goes before one by another name.
	named := map[string]place{}
	for _, p := range places {
		have, ok := named[p.field]
		switch {
		case !ok || have.alias && !p.alias:
			named[p.field] = p
		case have.alias == p.alias:
			n = p.line
			return nil, fault("%s is there twice; first on line %d", p.field, have.line)
		}
	}
	at := map[string]int{}
	for _, p := range places {
		if named[p.field] != p {
			continue
		}
		label := fmt.Sprintf("%s[%d]", p.strct, p.offset/size*size)
		i, ok := at[label]
		if !ok {
			i = len(l.Lines)
			at[label] = i
			l.Lines = append(l.Lines, Line{Name: label, Source: "pahole"})
		}
		l.Lines[i].Fields = append(l.Lines[i].Fields, p.field)
	}
	return l, nil
}

// ParseError is a fault in a line of a text.
type ParseError struct {
	Line int
	Text string
}

func (e *ParseError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }
