// Package imports reads what other tools say about locks: Go's mutex, block and
// CPU profiles, the text of go test -bench -cpu, and /proc/lock_stat. Each
// answers what it can. What it lacks, the holds as a rule, is said, and how to
// get it.
package imports

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"hostlock/files"
	"hostlock/record"
)

// limit is how long a file may be: a profile of a very large program has some
// tens of MB.
const limit = 256 << 20

// Frame is what a file may lack, and a flag says.
type Frame struct {
	Seconds float64 // 0: not known
	Procs   int
}

// A FormatError says why a file is none of those that are read.
type FormatError struct{ Text string }

func (e *FormatError) Error() string { return e.Text }

func bad(format string, args ...any) error { return &FormatError{fmt.Sprintf(format, args...)} }

// File reads one file. Its error is one line that begins with the path, a
// *FormatError where the file is no such file.
func File(path string, f Frame) (*record.Record, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > limit {
		return nil, bad("%s has %d bytes; legal: up to %d", path, info.Size(), limit)
	}
	text, err := files.Read(path, limit)
	if err != nil {
		return nil, bad("%s: %v", path, err)
	}
	r, err := Parse(text, f)
	var format *FormatError
	if errors.As(err, &format) {
		return nil, bad("%s: %s", path, format.Text)
	}
	return r, err
}

// Parse tells the kind of a file by its content.
func Parse(text []byte, f Frame) (*record.Record, error) {
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return nil, bad("is empty; legal: a mutex, block or CPU profile, go test -bench text, /proc/lock_stat")
	case bytes.HasPrefix(text, []byte("lock_stat version")):
		return lockStat(text, f)
	case bytes.Contains(text, []byte("ns/op")) && !bytes.HasPrefix(text, []byte{0x1f, 0x8b}):
		return benchmarks(text, f)
	}
	return pprofile(text, f)
}

func empty(source string, f Frame) *record.Record {
	return &record.Record{Schema: 1, Source: source, Procs: f.Procs, Seconds: f.Seconds, Locks: []record.Lock{}, Stretch: []record.Stretch{}, Unknown: []string{}, Warnings: []string{}}
}

const howToHold = "how long any lock is held, and so how near its limit it is: lab record -- COMMAND measures it"
