package lab

import (
	"context"
	"errors"
	"strings"

	"hostlock/experiment"
)

// errInterrupted is what the user reads in place of the context's own words.
var errInterrupted = errors.New("interrupted; the result is partial")

// status prints what went wrong, a line for each thing, and says how the
// process ends.
func (a *app) status(err error) int {
	if err == nil {
		return exitDone
	}
	if err == context.Canceled {
		err = errInterrupted
	}
	err = alone(err)
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" {
			a.note("%s", line)
		}
	}
	var usage *experiment.UsageError
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, context.Canceled), err == errInterrupted:
		return exitInterrupted
	}
	return exitFailed
}

// alone is the one error of a join that has no other.
func alone(err error) error {
	for {
		join, ok := err.(interface{ Unwrap() []error })
		if !ok || len(join.Unwrap()) != 1 {
			return err
		}
		err = join.Unwrap()[0]
	}
}

// usage makes any error one about the request.
func usage(err error) error {
	var u *experiment.UsageError
	if err == nil || errors.As(err, &u) {
		return err
	}
	return &experiment.UsageError{Text: err.Error(), Err: err}
}

// usagef makes an error about the request.
func usagef(format string, args ...any) error { return experiment.Usagef(format, args...) }
