package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// waiting is how many reads are under way.
var waiting atomic.Int32

// Reading reports whether a read is under way, which a pipe without a writer
// keeps from ever ending.
func Reading() bool { return waiting.Load() > 0 }

// Read reads a file, or whatever else has an end, of up to limit bytes: a path
// mistyped into an image of a disk, or into /dev/zero, is refused before it
// has filled the memory, and a device is not read at all. The error names neither the file nor what is legal.
func Read(path string, limit int64) ([]byte, error) {
	waiting.Add(1) // a pipe opens once it has a writer
	defer waiting.Add(-1)
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("is a directory")
	} else if err == nil && info.Mode()&os.ModeDevice != 0 {
		return nil, errors.New("is a device")
	} else if err == nil && info.Size() > limit {
		return nil, tooLong(limit)
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, cause(err)
	case int64(len(text)) > limit:
		return nil, tooLong(limit)
	}
	return text, nil
}

func tooLong(limit int64) error { return fmt.Errorf("is longer than %d bytes", limit) }
