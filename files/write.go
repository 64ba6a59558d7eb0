package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write writes a file whole or not at all: into a temporary file beside it,
// which then takes its name and, where there was a file, its permissions.
// Directories on the way are made, and a symbolic link is followed. What is no
// file, such as /dev/null or a pipe, is written to as it is, and stays.
//
// A failure of the system is an [fs.PathError] that names path, never the
// temporary file; one of write comes back wrapped.
func Write(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errIsDirectory}
	case err == nil && !info.Mode().IsRegular():
		return writeTo(path, write)
	case err == nil && info.Mode().Perm()&0o222 == 0:
		// Renaming over it would go through: it asks the directory alone.
		return &fs.PathError{Op: "write", Path: path, Err: errReadOnly}
	}
	target := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		target = real
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return about(path, err)
	}
	tmp, err := create(filepath.Dir(target))
	if err != nil {
		return about(path, err)
	}
	if info != nil {
		err = tmp.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = fill(tmp, path, write)
	}
	if err == nil {
		err = about(path, tmp.Sync())
	}
	// Closing comes first: an open file can neither be renamed nor removed on
	// Windows.
	if closeErr := tmp.Close(); err == nil {
		err = about(path, closeErr)
	}
	if err == nil {
		err = about(path, os.Rename(tmp.Name(), target))
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	unfinished.forget(tmp.Name())
	return err
}

// fill runs write, and tells a failure of the file from one of write's own.
func fill(f io.Writer, path string, write func(io.Writer) error) error {
	b := bufio.NewWriter(f)
	if err := write(b); err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			return about(path, err)
		}
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return about(path, b.Flush())
}

// writeTo writes to a device or a pipe.
func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return about(path, err)
	}
	err = fill(f, path, write)
	if closeErr := f.Close(); err == nil {
		err = about(path, closeErr)
	}
	return err
}

// create makes a file of a name that nobody has, with the permissions that the
// umask leaves. Its name is short, whatever the target's.
func create(dir string) (*os.File, error) {
	name := filepath.Join(dir, fmt.Sprintf(".hostlock-%016x.tmp", rand.Uint64()))
	unfinished.note(name)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		unfinished.forget(name)
	}
	return f, err
}

// about is the system's reason under the name that the user gave; nil stays
// nil.
func about(path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: "write", Path: path, Err: cause(err)}
}

// cause is an error of the system without operation and path, which messages
// name themselves.
func cause(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
