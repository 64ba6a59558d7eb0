package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"hostlock/experiment"
	"hostlock/experiment/derive"
	"hostlock/files"
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
	if !signal.Ignored(syscall.SIGHUP) { // nohup has it ignored
		signal.Notify(signals, syscall.SIGHUP)
	}
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

// Version is set by the linker where a release is built.
var Version = ""

// versionCommand is `lab version`.
func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "which lab this is",
		Example: "  lab version",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.stdout, versionLine())
			return err
		},
	}
}

// versionLine is the version, the commit where the build knows it, and what it
// was built with.
func versionLine() string {
	version, commit := Version, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if version == "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = ", commit " + s.Value
			}
		}
	}
	if version == "" {
		version = "(devel)"
	}
	return fmt.Sprintf("lab %s%s, %s %s/%s", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// app is the command line of one process: its streams, and what it runs, so
// that tests can put something else there.
type app struct {
	args           []string
	stdout, stderr io.Writer
	unwritten      error // why help could not be written; cobra has no way to say so
	signals        <-chan os.Signal
	exit           func(status int) // ends the process at once
	grace          time.Duration    // how long the second interrupt still waits for a result
	run            experiment.Runner
	derive         func(context.Context, *experiment.Plan) (*experiment.Plan, error) // the load of a run on this computer
}

func newApp(stdout, stderr io.Writer) *app {
	return &app{stdout: stdout, stderr: stderr, exit: os.Exit, grace: 3 * time.Second, run: experiment.Run, derive: derive.For}
}

// context is cancelled by the first interrupt, so that what was measured until
// then is kept. The second gives that a little time, and the third ends the
// process at once.
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
			switch {
			case n == 1 && !files.Reading():
				a.note("interrupted twice: what was measured is kept where that takes less than %v", a.grace)
				select {
				case <-done:
					return
				case <-a.signals:
				case <-time.After(a.grace):
				}
				fallthrough
			case n > 1 || files.Reading(): // a pipe without a writer never ends
				files.RemoveUnfinished()
				a.exit(exitInterrupted)
				return
			}
			a.note("interrupted: finishing with what was measured; twice more stops at once")
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
	line := strings.TrimSuffix(fmt.Sprintf(format, args...), "\n")
	fmt.Fprintf(a.stderr, "lab: %s\n", printable(line))
}

// printable is a text with control characters escaped, which would otherwise
// reach the terminal as commands; new lines stay, and so do tabs.
func printable(text string) string {
	if !strings.ContainsFunc(text, control) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if control(r) {
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func control(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// terminal reports whether a stream is one that a person looks at.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
