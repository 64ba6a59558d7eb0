package workload

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"hostlock/closest"
	"hostlock/files"
)

// maxFile bounds what is read as a workload, in bytes: a path mistyped into an
// image of a disk is refused at once.
const maxFile = 4 << 20

// Load reads a built-in workload by its name, a command line as it stands, or
// any workload by its file. A name that
// is built in wins; write ./NAME for a file that is called the same. Which
// format a file has is found out from its text. The error is one line that
// says what is legal; for what is wrong inside a file it begins with
// file:line.
func Load(nameOrFile string) (Workload, error) {
	if nameOrFile == "" {
		return nil, fmt.Errorf("no workload named; legal: %s", legal())
	}
	if f, b, ok := find(nameOrFile); ok {
		w, err := f.Parse(b.Name, b.Text)
		if err != nil {
			return nil, fmt.Errorf("built-in workload %s: %w", b.Name, err)
		}
		return w, nil
	}
	if IsCommand(nameOrFile) {
		return Parse(nameOrFile, []byte(nameOrFile))
	}
	text, err := files.Read(nameOrFile, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("unknown workload %q, and no such file; legal: %s%s", nameOrFile, legal(), closest.Hint(nameOrFile, builtinNames()))
	case err != nil:
		return nil, fmt.Errorf("workload %s: %w; legal: %s", nameOrFile, err, legal())
	}
	return Parse(nameOrFile, text)
}

// Known reports whether Load takes a text without looking for a file: a
// built-in's name or a command line.
func Known(text string) bool {
	_, _, named := find(text)
	return named || IsCommand(text)
}

// IsCommand reports whether a text is the command line of a tool that is known
// here, such as "sgp_dd thr=32 ...", and not a name or a file.
func IsCommand(text string) bool {
	for _, f := range formats {
		if f.Command && f.Recognise([]byte(text)) {
			return true
		}
	}
	return false
}

// Parse reads the text of a workload of any format; name stands for the file
// in every position.
func Parse(name string, text []byte) (Workload, error) {
	for _, f := range formats {
		if f.Recognise(text) {
			return f.Parse(name, text)
		}
	}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return nil, fmt.Errorf("%s:1: the file begins with a byte order mark; legal: plain text without one", name)
	}
	line := 1 + bytes.Count(text[:len(text)-len(bytes.TrimLeft(text, " \t\r\n"))], []byte("\n"))
	return nil, fmt.Errorf("%s:%d: not a workload of any known kind; legal: %s", name, line, legal())
}
