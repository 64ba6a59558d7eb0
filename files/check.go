package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

var (
	errIsDirectory = errors.New("is a directory; legal: a file")
	errReadOnly    = fmt.Errorf("is read-only: %w", fs.ErrPermission)
)

// Misplaced is the error of a place that can hold no such file by what it is:
// a wrong request, where any other error of a check is the system's refusal.
type Misplaced struct{ Text string }

func (e *Misplaced) Error() string { return e.Text }

// Check says why [Write] could not write a file: before anything runs, rather
// than after minutes. What it cannot foresee is a disk that fills up.
func Check(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return &Misplaced{errIsDirectory.Error()}
	case err == nil && !info.Mode().IsRegular():
		return nil // a device or a pipe, which is written to as it is
	case err == nil && info.Mode().Perm()&0o222 == 0:
		return errReadOnly
	}
	return checkIn(path, filepath.Dir(path))
}

// CheckDir says why files could not be written into a directory, which need
// not be there yet.
func CheckDir(path string) error { return checkIn(path, path) }

// checkIn tries the nearest directory that is there.
func checkIn(path, at string) error {
	if _, err := os.Lstat(path); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		if parent := ancestor(at); !isDir(parent) {
			return &Misplaced{parent + " is not a directory"}
		}
		return &Misplaced{cause(err).Error()} // such as a name that is too long
	}
	at = ancestor(at)
	if !isDir(at) {
		return &Misplaced{at + " is not a directory"}
	}
	f, err := create(at)
	if err != nil {
		return fmt.Errorf("nothing can be written in %s: %w", at, cause(err))
	}
	err = errors.Join(f.Close(), os.Remove(f.Name()))
	unfinished.forget(f.Name())
	return err
}

// ancestor is the nearest to a path that is there, or that cannot be looked
// at.
func ancestor(at string) string {
	for {
		_, err := os.Stat(at)
		if err == nil || errors.Is(err, fs.ErrPermission) || filepath.Dir(at) == at {
			return at
		}
		at = filepath.Dir(at)
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.IsDir()
}
