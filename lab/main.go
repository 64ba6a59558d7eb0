package lab

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"hostlock/machine"
)

// Exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1   // the run failed, or a check in it did
	exitUsage       = 2   // the request was wrong; nothing was written
	exitInterrupted = 130 // what was measured is kept, marked partial
)

// Main runs the command line of this process and ends it.
func Main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is Main with its streams, and without the end of the process.
func run(args []string, stdout, stderr io.Writer) int {
	a := newApp(stdout, stderr)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	a.signals = signals
	return a.main(args)
}

// main runs one command line and says how the process ends.
func (a *app) main(args []string) (status int) {
	a.args = args
	defer func() {
		if r := recover(); r != nil {
			a.tellBug(machine.Caught("", 0, r))
			status = exitFailed
		}
	}()
	ctx, stop := a.context()
	defer stop()
	root := a.root()
	root.SetArgs(args)
	return a.status(errors.Join(root.ExecuteContext(ctx), a.unwritten))
}
