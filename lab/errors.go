package lab

import (
	"context"
	"errors"
	"hostlock/experiment/spec"
	"reflect"
	"strings"
)

// errInterrupted is what the user reads in place of the context's own words.
var errInterrupted = errors.New("interrupted; the result is partial")

// errNothing is the same where there is no result.
var errNothing = errors.New("interrupted before anything was measured; nothing was written")

// status prints what went wrong, a line for each thing, and says how the
// process ends.
func (a *app) status(err error) int {
	if err == nil {
		return exitDone
	}
	if a.tellBug(err) {
		return exitFailed
	}
	var wrong, failed bool
	for _, e := range leaves(err) {
		var usage *spec.UsageError
		switch {
		case errors.As(e, &usage):
			wrong = true
		case errors.Is(e, errInterrupted), errors.Is(e, errNothing):
		case errors.Is(e, context.Canceled):
			e = errNothing
		default:
			failed = true
		}
		for line := range strings.Lines(e.Error()) {
			if line = strings.TrimSpace(line); line != "" {
				a.note("%s", shorten(line))
			}
		}
	}
	switch {
	case wrong:
		return exitUsage
	case failed:
		return exitFailed
	}
	return exitInterrupted
}

// joined is the type of what errors.Join makes: a list, and nothing said of it.
var joined = reflect.TypeOf(errors.Join(errInterrupted))

// leaves takes errors apart that errors.Join put together.
func leaves(err error) []error {
	if reflect.TypeOf(err) != joined {
		return []error{err}
	}
	var out []error
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		out = append(out, leaves(e)...)
	}
	return out
}

// longLine is how long a line of a message may be, in bytes: a whole file may
// have been given in place of a name.
const longLine = 3000

// shorten leaves the middle out of a line that is too long: what is legal
// stands at its end.
func shorten(line string) string {
	if len(line) <= longLine {
		return line
	}
	const head = longLine / 6
	return strings.ToValidUTF8(line[:head], "") + " ... " + strings.ToValidUTF8(line[len(line)-(longLine-head):], "")
}

// usage makes any error one about the request.
func usage(err error) error {
	var u *spec.UsageError
	if err == nil || errors.As(err, &u) {
		return err
	}
	return &spec.UsageError{Text: err.Error(), Err: err}
}

// usagef makes an error about the request.
func usagef(format string, args ...any) error { return spec.Usagef(format, args...) }
