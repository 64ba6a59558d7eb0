package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/files"
	"hostlock/record"
	"hostlock/record/launch"
	"hostlock/record/overlay"
	"hostlock/record/read"
)

// recordFlags are what `lab record` was asked for.
type recordFlags struct {
	output   string
	format   string
	stretch  string
	progress string
	rounds   int
	pairs    int
	top      bool
	full     bool
}

// recordCommand is `lab record`.
func (a *app) recordCommand() *cobra.Command {
	f := recordFlags{format: "text", rounds: 3}
	cmd := &cobra.Command{
		Use:   "record [flags] -- COMMAND",
		Short: "how long your own Go program holds its locks, and what a hold is made of",
		Long: `Runs a command that builds or starts a Go program, and says which of its locks
is near its limit: how often each is taken, how long it is held, who waits, and
what a hold is made of (running, parked, waiting for another lock, collecting
garbage). The program's own code, module and toolchain stay as they are: the
standard library's Mutex and RWMutex are wrapped by a build overlay, made at that
moment from the toolchain that the command uses. That needs Linux on amd64 or
arm64. The first build takes a minute, since the standard library is built anew.

A command that starts a binary needs one that 'lab record build' made.

--stretch makes one site's hold longer and watches the rate: no slope, not your
problem. The runs are interleaved with plain ones, and with runs that spend the
same time outside the lock.`,
		Example: `  lab record -- go test -bench . ./pkg
  lab record -o before.json -- go run ./cmd/server
  lab record build -o server ./cmd/server && lab record --top -- ./server
  lab record --stretch cache.go:42=1.25,1.5,2 -- go test -bench Get ./cache`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("no command to record; legal: lab record [flags] -- COMMAND, such as lab record -- go test -bench . ./pkg")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.runRecord(cmd.Context(), &f, args) },
	}
	cmd.AddGroup(&cobra.Group{ID: groupMore, Title: "Besides running a command:"})
	for _, sub := range []*cobra.Command{a.recordBuildCommand(), a.recordImportCommand()} {
		sub.GroupID = groupMore
		cmd.AddCommand(sub)
	}
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.stretch, "SITE=F,.."}, "stretch", "lengthen the holds of one site, a function or file:line, by each factor; none without it")
		fs.Var(word{&f.progress, "NAME"}, "progress", "the operation that counts: a benchmark, or a function that takes a lock; all benchmarks without it, or else the stretched site")
		fs.Var(count[int]{to: &f.rounds, max: 100}, "rounds", "how often each factor of --stretch runs")
		fs.IntVar(&f.pairs, "pairs", 0, "run the command so many times more, plain and recorded in turn, to measure the overhead; it is estimated without them")
	})
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.StringVarP(&f.output, "output", "o", "", "write the record there as JSON, and beside it as .pb.gz for go tool pprof; only the text without it")
		fs.Var(word{&f.format, "NAME"}, "format", "on stdout: text, or json")
		fs.BoolVar(&f.full, "full", false, "all sites and all notes, and not what fits a screen")
		fs.BoolVar(&f.top, "top", false, "show the locks every two seconds while the command runs, on stderr")
	})
	completeFlags(cmd)
	return cmd
}

// recordBuildCommand is `lab record build`.
func (a *app) recordBuildCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "build -o BIN [PACKAGE] [-- BUILD FLAGS]",
		Short:   "build a binary that can be recorded later, elsewhere too",
		Long:    "Builds a program whose locks are recorded when it runs under 'lab record'. Without\nthat it runs as ever; a lock then costs one comparison more.",
		Example: "  lab record build -o server ./cmd/server && lab record -- ./server",
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" {
				return usagef("no -o; legal: lab record build -o BIN [PACKAGE]")
			}
			// go build wants its flags before the package.
			n := len(args)
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				n = at
			}
			c, err := prepare(slices.Concat([]string{"go", "build", "-o", output}, args[n:], args[:n]))
			if err != nil {
				return err
			}
			c.Stdout, c.Stderr = a.stderr, a.stderr
			return c.Build(cmd.Context())
		},
	}
	cmd.Flags().VarP(word{&output, "BIN"}, "output", "o", "where the binary goes, in place of the one that go build would name")
	completeFlags(cmd)
	return cmd
}

func prepare(args []string) (*launch.Command, error) {
	c, err := launch.Prepare(args)
	return c, refused(err)
}

// refused makes a refusal one about the request.
func refused(err error) error {
	var r *overlay.Refusal
	if errors.As(err, &r) {
		return usage(err)
	}
	return err
}

// parseStretch reads SITE=F,F.
func parseStretch(text string) (site string, factors []float64, err error) {
	if text == "" {
		return "", nil, nil
	}
	i := strings.LastIndexByte(text, '=')
	if i <= 0 {
		return "", nil, usagef("--stretch %q; legal: SITE=F,.. such as cache.go:42=1.25,1.5,2", text)
	}
	for f := range strings.SplitSeq(text[i+1:], ",") {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil || !(v > 1 && v <= 100) {
			return "", nil, usagef("--stretch: factor %q; legal: above 1, up to 100", f)
		}
		factors = append(factors, v)
	}
	// The table prints function and file:line; either is enough.
	site = text[:i]
	if _, at, ok := strings.Cut(site, " "); ok {
		site = at
	}
	return site, factors, nil
}

func (a *app) runRecord(ctx context.Context, f *recordFlags, args []string) error {
	site, factors, err := parseStretch(f.stretch)
	if err != nil {
		return err
	}
	if f.format != "text" && f.format != "json" {
		return usagef("--format %q; legal: text, json", f.format)
	}
	if f.pairs < 0 || f.pairs > 100 {
		return usagef("--pairs %d; legal: 0 to 100", f.pairs)
	}
	c, err := prepare(args)
	if err != nil {
		return err
	}
	c.Stderr = a.stderr
	// The command's own output must not mix with a JSON object.
	if c.Stdout = a.stdout; f.format == "json" {
		c.Stdout = a.stderr
	}
	dir, err := os.MkdirTemp("", "hostlock-record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	first := filepath.Join(dir, "first")
	if err := os.Mkdir(first, 0o755); err != nil {
		return err
	}
	before := readHost()
	stop := a.watch(f.top, first)
	run, err := c.Once(ctx, first, nil, f.progress)
	stop()
	if err != nil {
		return refused(err)
	}
	failed := a.told(ctx, args, run)
	if len(run.Processes) == 0 {
		return errors.Join(failed, fmt.Errorf("%s recorded nothing: no program that it ran was built with the recorder; legal: a command that runs go, or a binary of 'lab record build'", args[0]))
	}
	r := record.Build(run.Processes)
	before.since(&r.Frame, run.Wall)
	r.Command, r.Partial = strings.Join(args, " "), failed != nil
	if f.pairs > 0 && failed == nil {
		if err := a.overhead(ctx, c, r, dir, f.pairs); err != nil {
			return err
		}
	}
	if len(factors) > 0 && failed == nil {
		if !slices.ContainsFunc(r.Locks, func(l record.Lock) bool { return l.Named(site) }) {
			r.Note()
			return errors.Join(usagef("--stretch: no lock was taken at %s; legal: a function or file:line of the record's table", site), a.writeRecord(r, f))
		}
		trial := launch.Trial{Site: site, Progress: f.progress, Factors: factors, Rounds: f.rounds, Dir: dir}
		rows, err := c.Stretch(ctx, trial)
		if err != nil {
			r.Note()
			return errors.Join(refused(err), a.writeRecord(r, f)) // what was recorded is kept
		}
		r.Stretch = rows
	}
	r.Note()
	return errors.Join(failed, a.writeRecord(r, f))
}

// told says how the command ended, where that was badly: what it recorded counts
// all the same.
func (a *app) told(ctx context.Context, args []string, run *launch.Run) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	if run.Err != nil {
		return fmt.Errorf("%s: %w; what it recorded until then is printed", args[0], run.Err)
	}
	return nil
}

func (a *app) writeRecord(r *record.Record, f *recordFlags) error {
	for _, w := range r.Warnings {
		a.note("warning: %s", w)
	}
	if f.output != "" {
		if err := files.Write(f.output, r.JSON); err != nil {
			return err
		}
		if err := files.Write(strings.TrimSuffix(f.output, filepath.Ext(f.output))+".pb.gz", r.Profile); err != nil {
			return err
		}
	}
	return a.emit("", func(w io.Writer) error {
		if f.format == "json" {
			return r.JSON(w)
		}
		return r.Text(w, f.full)
	})
}

// overhead measures the user's own command, plain and recorded in turn.
func (a *app) overhead(ctx context.Context, c *launch.Command, r *record.Record, dir string, pairs int) error {
	pct, how, err := c.Overhead(ctx, dir, pairs)
	if err != nil {
		return err
	}
	r.OverheadPct, r.OverheadHow = &pct, "measured"
	r.Warnings = append(r.Warnings, fmt.Sprintf("the overhead is of %s, the median of %d pairs", how, pairs))
	return nil
}

// topEvery is how often --top looks: a person reads for about that long.
const topEvery = 2 * time.Second

// watch shows the locks while the command runs.
func (a *app) watch(on bool, dir string) (stop func()) {
	if !on {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(topEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			var processes []*read.Process
			if processes, _ = launch.Read(dir); len(processes) == 0 {
				continue // it still builds
			}
			r := record.Build(processes)
			r.Note()
			if terminal(a.stderr) {
				fmt.Fprint(a.stderr, "\x1b[H\x1b[2J")
			}
			_ = r.Text(a.stderr, false) // nothing is lost: the record follows
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
