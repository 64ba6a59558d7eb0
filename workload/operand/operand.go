// Package operand reads command lines of the dd family: KEY=VALUE operands,
// and numbers with the suffixes that those tools take.
package operand

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

// Command reports whether a text is a command line of a tool: its first line
// that is neither empty nor a comment begins with the tool's name, with or
// without a directory before it.
func Command(text []byte, tool string) bool {
	line, _, err := Line(text)
	if err != nil {
		line, _, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
	}
	words := strings.Fields(line)
	return len(words) > 0 && (words[0] == tool || strings.HasSuffix(words[0], "/"+tool))
}

// Line finds the one command line in a text, and on which line it begins. More
// than one is an error; a backslash at a line's end continues it.
func Line(text []byte) (line string, number int, err error) {
	rest := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	for i := 0; i < len(rest); i++ {
		at, whole := i+1, rest[i]
		for strings.HasSuffix(whole, "\\") && i+1 < len(rest) {
			i++
			whole = strings.TrimSuffix(whole, "\\") + " " + rest[i]
		}
		if whole, _, _ = strings.Cut(whole, "#"); strings.TrimSpace(whole) == "" {
			continue
		}
		if number != 0 {
			return "", at, fmt.Errorf("a second command; legal: one command line a workload")
		}
		line, number = strings.TrimSpace(whole), at
	}
	return line, max(number, 1), nil
}

// At is an error of a command line: with the tool's name where the text itself
// was given, with file and line where it came from a file.
func At(tool, name, text string, line int, err error) error {
	if name == text {
		return fmt.Errorf("%s: %w", tool, err)
	}
	return fmt.Errorf("%s:%d: %w", name, line, err)
}

// suffixes of a number, longest first. Letters alone are powers of 1024; with
// a B, of 1000; with iB, of 1024 again [sg3_utils, GNU dd].
var suffixes = []struct {
	text string
	mult float64
}{
	{"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}, {"TIB", 1 << 40}, {"PIB", 1 << 50},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"PB", 1e15},
	{"C", 1}, {"W", 2}, {"B", 512}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"P", 1 << 50},
}

const legalNumber = "a whole number, alone, in hexadecimal (0x10 or 10h), with c w b k m g t p or KB MB ..., or products such as 2x33"

// Number reads a number as dd and sgp_dd do: 4096, 4k, 1MB, 2x33, 3+1k, 0x10,
// 10h.
func Number(text string) (int64, error) {
	sum, err := number(text)
	if err != nil {
		return 0, err
	}
	if sum > math.MaxInt64/2 {
		return 0, fmt.Errorf("%q is too large", text)
	}
	return int64(sum), nil
}

func number(text string) (float64, error) {
	bad := fmt.Errorf("%q is no number; legal: %s", text, legalNumber)
	sum := 0.0
	for term := range strings.SplitSeq(text, "+") {
		product := 1.0
		rest := term
		if hex, ok := hexadecimal(term); ok {
			product, rest = hex, ""
		}
		for rest != "" || product == 1 && term == "" {
			var factor string
			factor, rest, _ = strings.Cut(rest, "x")
			f, ok := plain(factor)
			if !ok {
				return 0, bad
			}
			product *= f
			if strings.HasSuffix(term, "x") {
				return 0, bad
			}
		}
		sum += product
	}
	return sum, nil
}

func hexadecimal(text string) (float64, bool) {
	digits, ok := strings.CutPrefix(strings.ToLower(text), "0x")
	if !ok {
		digits, ok = strings.CutSuffix(strings.ToLower(text), "h")
	}
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 16, 62)
	return float64(n), err == nil
}

func plain(text string) (float64, bool) {
	mult := 1.0
	for _, s := range suffixes {
		if digits, ok := strings.CutSuffix(strings.ToUpper(text), s.text); ok {
			text, mult = digits, s.mult
			break
		}
	}
	if text == "" || text[0] < '0' || text[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 62)
	return float64(n) * mult, err == nil
}

// Device says which device of the system a file name stands for: sg0, sda and
// sdb1 by their letter or number. Files without one have none.
func Device(file string) (index int, ok bool) {
	name := path.Base(file)
	if digits, is := strings.CutPrefix(name, "sg"); is {
		n, err := strconv.Atoi(digits)
		return n, err == nil && n >= 0
	}
	letters, is := strings.CutPrefix(name, "sd")
	letters = strings.TrimRight(letters, "0123456789")
	if !is || letters == "" || len(letters) > 3 {
		return 0, false
	}
	for _, c := range letters {
		if c < 'a' || c > 'z' {
			return 0, false
		}
		index = 26*index + int(c-'a') + 1
	}
	return index - 1, true
}
