package sweep

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"hostlock/experiment/spec"
	"hostlock/files"
	"hostlock/results"
)

// Store is the file that a sweep is kept in while it runs, and continued from.
type Store struct {
	path string
	last time.Time     // of the last write
	took time.Duration // what that cost
	dirt *results.Sweep
}

// maxFile bounds what is read as a sweep, in bytes.
const maxFile = 1 << 28

// Open finds what an earlier run left in a file; one that is not there, or is
// empty as mktemp leaves it, is a new one. Its error is an [spec.UsageError].
func Open(path string) (*Store, []results.SweepPoint, error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return &Store{path: path}, nil, nil
	}
	s, err := Read(path)
	if err != nil {
		return nil, nil, err
	}
	return &Store{path: path}, s.Points, nil
}

// Read reads one file of a sweep. Its error is an [spec.UsageError].
func Read(path string) (*results.Sweep, error) {
	text, err := files.Read(path, maxFile)
	if err != nil {
		return nil, spec.Usagef("%s: %w; legal: a file that lab sweep wrote", path, err)
	}
	s, err := results.ReadSweep(text)
	if err != nil {
		return nil, spec.Usagef("%s: %w", path, err)
	}
	return s, nil
}

// Save keeps what is done, whole or not at all. A write is put off where
// writing would take more than a tenth of the time; [Store.Flush] makes up for
// the last one.
func (s *Store) Save(sw *results.Sweep) error {
	s.dirt = sw
	if !s.last.IsZero() && time.Since(s.last) < 9*s.took {
		return nil
	}
	return s.Flush()
}

// Flush writes what was put off.
func (s *Store) Flush() error {
	if s.dirt == nil {
		return nil
	}
	begin := time.Now()
	err := files.Write(s.path, s.dirt.WriteJSON)
	s.last, s.took, s.dirt = time.Now(), time.Since(begin), nil
	return err
}
