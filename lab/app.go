package lab

import (
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"hostlock/experiment"
	"hostlock/experiment/derive"
	"hostlock/files"
)

// app is the command line of one process: its streams, and what it runs, so
// that tests can put something else there.
type app struct {
	args           []string
	stdout, stderr io.Writer
	unwritten      error // why help could not be written; cobra has no way to say so
	signals        <-chan os.Signal
	exit           func(status int) // ends the process at once
	run            experiment.Runner
	derive         func(context.Context, *experiment.Plan) (*experiment.Plan, error) // the load of a run on this computer
}

func newApp(stdout, stderr io.Writer) *app {
	return &app{stdout: stdout, stderr: stderr, exit: os.Exit, run: experiment.Run, derive: derive.For}
}

// context is cancelled by the first interrupt, so that what was measured until
// then is kept. The second ends the process at once.
func (a *app) context() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			case <-a.signals:
			}
			if n > 0 {
				files.RemoveUnfinished()
				a.exit(exitInterrupted)
				return
			}
			a.note("interrupted: finishing with what was measured; once more stops at once")
			cancel()
		}
	}()
	return ctx, func() {
		close(done)
		cancel()
	}
}

// note prints one line that is not data.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.stderr, "lab: "+format+"\n", args...)
}

// terminal reports whether a stream is one that a person looks at.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
