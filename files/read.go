package files

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Read reads a file, or whatever else has an end, of up to limit bytes: a path
// mistyped into an image of a disk, or into /dev/zero, is refused before it
// has filled the memory. The error names neither the file nor what is legal.
func Read(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("is a directory")
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
