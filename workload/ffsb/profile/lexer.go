package profile

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// maxLine is how many bytes of a line FFSB reads in one piece (all
// generations; a buffer of 1024 with its final NUL). What is longer falls
// apart into two lines, most likely with a wrong value in the first.
const maxLine = 1023

// line is one line that is neither blank nor a comment, without the blanks
// around it.
type line struct {
	text string
	pos  Pos
}

// isHeader reports whether the line opens or closes a section.
func (l line) isHeader() bool { return strings.HasPrefix(l.text, "[") }

// key returns what is before the first '=' without blanks, or the first word
// of a line without '='.
func (l line) key() string {
	if before, _, ok := strings.Cut(l.text, "="); ok {
		return stripBlanks(before)
	}
	word, _ := cutWord(l.text)
	return word
}

// readLines returns the lines that say something, and the last position in
// the file, where whatever is missing is reported.
//
// Errors: a line over maxLine bytes, a NUL byte, a byte order mark, and
// whatever r returns.
func readLines(name string, r io.Reader) ([]line, Pos, error) {
	in := bufio.NewReaderSize(r, maxLine+1)
	pos := Pos{File: name}
	var lines []line
	for {
		raw, err := in.ReadSlice('\n')
		if len(raw) == 0 && errors.Is(err, io.EOF) {
			break
		}
		pos.Line++
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, pos, &Error{Pos: pos, Msg: oneLine("cannot be read: " + err.Error()), Err: err}
		}
		text := strings.TrimSuffix(string(raw), "\n")
		if len(text) > maxLine {
			return nil, pos, errorAt(pos, "line is longer than %d bytes, and FFSB would read it as two; legal: up to %d bytes", maxLine, maxLine)
		}
		if strings.IndexByte(text, 0) >= 0 {
			return nil, pos, errorAt(pos, "line holds a NUL byte, where FFSB stops reading it; legal: text")
		}
		if pos.Line == 1 && strings.HasPrefix(text, "\xef\xbb\xbf") {
			return nil, pos, errorAt(pos, "file starts with a byte order mark, which FFSB takes for part of the first key; legal: plain text without one")
		}
		if text = trimBlanks(text); text != "" && text[0] != '#' {
			lines = append(lines, line{text: text, pos: pos})
		}
		if err != nil {
			break
		}
	}
	pos.Line = max(pos.Line, 1)
	return lines, pos, nil
}

// isBlank is C's isspace in the C locale, which is what FFSB skips by.
func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func trimBlanks(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func stripBlanks(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if !isBlank(s[i]) {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// cutWord returns the first word of s, which starts with no blank, and the
// rest of s without the blanks around it.
func cutWord(s string) (word, rest string) {
	for i := range len(s) {
		if isBlank(s[i]) {
			return s[:i], trimBlanks(s[i:])
		}
	}
	return s, ""
}

// words splits s at its blanks.
func words(s string) []string {
	var out []string
	for s = trimBlanks(s); s != ""; {
		var w string
		w, s = cutWord(s)
		out = append(out, w)
	}
	return out
}

// cutComment drops everything from the first '#', as generation C does even
// inside a value.
func cutComment(s string) string {
	before, _, _ := strings.Cut(s, "#")
	return trimBlanks(before)
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
