package lab

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"hostlock/results"
)

// emit writes data to a file, whole or not at all, or to stdout where no file
// is named. Either way nothing is written that could not be formatted.
func (a *app) emit(file string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	to := func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	}
	if file == "" {
		return to(a.stdout)
	}
	err := results.WriteFile(file, to)
	var pe *fs.PathError
	if errors.As(err, &pe) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)) {
		return usagef("--output %s: %w", file, pe.Err)
	}
	return err
}

// checkPlaces refuses files and directories that could not be written before
// anything runs, rather than after minutes.
func checkPlaces(cmd *cobra.Command, _ []string) error {
	for _, place := range []struct {
		flag string
		dir  bool
	}{{"output", false}, {"plot", false}, {"resume", false}, {"profiles", true}, {"results", true}} {
		f := cmd.Flags().Lookup(place.flag)
		if f == nil || f.Value.String() == "" {
			continue
		}
		if err := checkPlace(f.Value.String(), place.dir); err != nil {
			return usagef("--%s %s: %w", place.flag, f.Value, err)
		}
	}
	return nil
}

func checkPlace(path string, dir bool) error {
	if info, err := os.Stat(path); err == nil && !dir {
		switch {
		case info.IsDir():
			return errors.New("is a directory; legal: a file")
		case !info.Mode().IsRegular():
			return nil // a device or a pipe, which is written to as it is
		}
	}
	// Directories on the way are made: the nearest that is there must allow it.
	at := path
	if !dir {
		at = filepath.Dir(path)
	}
	info, err := os.Stat(at)
	for err != nil && !errors.Is(err, fs.ErrPermission) && filepath.Dir(at) != at {
		at = filepath.Dir(at)
		info, err = os.Stat(at)
	}
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a directory", at)
	}
	var tmp *os.File
	if err == nil {
		tmp, err = os.CreateTemp(at, ".lab-*.tmp")
	}
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return fmt.Errorf("nothing can be written in %s: %w", at, err)
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// warn prints warnings where a person would otherwise not see them: not when
// they are part of a report on the terminal.
func (a *app) warn(warnings []string, f results.Formatter, file string) {
	if f.Notes && f.Name != "json" && file == "" && terminal(a.stdout) {
		return
	}
	for _, w := range warnings {
		a.note("warning: %s", w)
	}
}
