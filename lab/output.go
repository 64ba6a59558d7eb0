package lab

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

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
