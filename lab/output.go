package lab

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"hostlock/files"
	"hostlock/results"
)

// emit writes data to a file, whole or not at all, or to stdout where no file
// is named or the file cannot be written any more. Nothing is written that could
// not be formatted.
func (a *app) emit(file string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	// The user's own names stand in it, and a terminal would take their control
	// characters as commands. No format has any of its own.
	data := b.Bytes()
	if utf8.Valid(data) {
		data = []byte(printable(string(data)))
	}
	to := func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
	if file == "" {
		return to(a.stdout)
	}
	err := files.Write(file, to)
	if err != nil {
		// It may have taken hours, and the place was fine when they began.
		a.note("%s could not be written: its data goes to stdout, so that it is not lost", file)
		err = errors.Join(err, to(a.stdout))
	}
	return err
}

// checkPlaces refuses files and directories that could not be written before
// anything runs, rather than after minutes. What can hold no such file is a
// wrong request; what the system does not allow is a failure.
func checkPlaces(cmd *cobra.Command, args []string) error {
	if err := checkOverwrite(cmd, args); err != nil {
		return err
	}
	for _, place := range []struct {
		flag  string
		check func(string) error
	}{
		{"output", files.Check}, {"plot", files.Check}, {"resume", files.Check}, {"sets", files.Check},
		{"profiles", files.CheckDir}, {"results", files.CheckDir},
	} {
		f := cmd.Flags().Lookup(place.flag)
		if f == nil || f.Value.String() == "" {
			continue
		}
		err := place.check(f.Value.String())
		var misplaced *files.Misplaced
		switch {
		case errors.As(err, &misplaced):
			return usagef("--%s %s: %w", place.flag, f.Value, err)
		case err != nil:
			return fmt.Errorf("--%s %s: %w", place.flag, f.Value, err)
		}
	}
	return nil
}

// warn prints warnings where a person would otherwise not see them: not when
// they are part of a report for people that goes to stdout.
func (a *app) warn(warnings []string, f results.Formatter, file string) {
	if (f.Name == "text" || f.Name == "markdown") && file == "" {
		return
	}
	for _, w := range warnings {
		a.note("warning: %s", w)
	}
}

// progressSteps is how finely a bar is told.
const progressSteps = 1000

// progress shows how far a run is, on a terminal that can go back to the
// beginning of its line, and nowhere else. The functions are for
// experiment.Options.Progress, nil where nothing is shown, and for the end of
// the run.
func (a *app) progress(what string) (step func(float64), done func()) {
	step, _, done = a.progressSaying(what)
	return step, done
}

// progressSaying is progress where what is said beside the bar may change.
func (a *app) progressSaying(what string) (step func(float64), say func(string), done func()) {
	if !terminal(a.stderr) || os.Getenv("TERM") == "dumb" {
		return nil, nil, func() {}
	}
	bar := progressbar.NewOptions(progressSteps,
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	var mu sync.Mutex // a live machine's progress comes from another goroutine
	step = func(share float64) {
		mu.Lock()
		defer mu.Unlock()
		// The last step is done's: a full bar would be taken away too early.
		_ = bar.Set(int(min(max(share, 0), 0.999) * progressSteps))
	}
	say = func(what string) {
		mu.Lock()
		defer mu.Unlock()
		bar.Describe(what)
	}
	return step, say, func() {
		mu.Lock()
		defer mu.Unlock()
		_ = bar.Finish()
	}
}
