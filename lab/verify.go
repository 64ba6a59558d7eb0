package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/designs"
	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/machine/explore"
	"hostlock/machine/param"
	"hostlock/verify"
)

// verifyFlags are what `lab verify` was asked for.
type verifyFlags struct {
	cfg                    verify.Config
	seed                   experiment.Seed
	set                    []param.Setting
	replay, format, output string
	full                   bool
	design, kind           string // of a design, in place of a strategy
}

// Bounds of the flags: verify checks them again, with what else it knows.
const (
	maxSchedules   = 1 << 40
	maxPreemptions = 100
	progressEvery  = time.Minute // where stderr is no terminal
)

// historicBug is the one parameter that plants a fault of the kernel's.
const historicBug = "midlayer.historic_target_bug"

// verifyCommand is `lab verify`.
func (a *app) verifyCommand() *cobra.Command {
	f := verifyFlags{
		seed: experiment.Seed{N: 1},
	}
	cmd := &cobra.Command{
		Use:   "verify --strategy NAME [flags]",
		Short: "look for an order of operations under which a strategy goes wrong",
		Long: `Runs a strategy on a machine without time, on which every lock and every atomic
operation may be followed by any other thread's, interrupts come wherever they
are on, and timers fire whenever they are armed. One scenario after another
checks what a strategy owes: exact limits, every command completed once, starved
queues restarted, order where it is promised, states that stop commands, locks
used as the kernel allows, no deadlock, no lost wake-up; and error handling, where
any command may time out at any moment, unless the strategy has none.

A finding is printed as the shortest schedule that it could be cut down to, step
by step, in source lines, with the command that replays it.

Half of the schedules are random walks, half PCT, whose probability of finding a
fault is printed, for one schedule and for the whole run: where that is small, no
finding says little. --exhaustive runs every order of a small load instead.
Within the bound on preemptions it leaves out only what equals an order that it
runs; how many were run and cut, and for how long, is told on stderr as it goes.
Its default, 2 threads of 2 commands with 2 preemptions, took some 25 s of one core,
3 threads of 1 command 45 to 60 s, both under per-queue 2 to 5 s. One preemption more
took 5 to 12 times as long, five minutes under ring (BENCHMARKS.md, section 7).
Orders are sequentially consistent, as Go's atomics are. Plain fields that the
code declares must be ordered by something, or that is a finding; those that it
does not are for the race detector.

Exit status: 0 nothing found; 1 a finding; 2 the request was wrong; 130
interrupted, and what was done is reported.`,
		Example: `  lab verify --strategy ring
  lab verify --strategy per-queue --schedules 100000 --seed 7
  lab verify --strategy host-lock --exhaustive --threads 3 --commands 1
  lab verify --strategy host-lock --set midlayer.historic_target_bug=true
  lab verify --design shards --kind mutex`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runVerify(cmd.Context(), &f) },
	}
	f.define(cmd)
	return cmd
}

func (f *verifyFlags) define(cmd *cobra.Command) {
	c := &f.cfg
	grouped(cmd, "What is verified:", func(fs *pflag.FlagSet) {
		fs.Var(word{&c.Strategy, "NAME"}, "strategy", "how the path synchronises (lab list strategies)")
		fs.Var(word{&f.design, "NAME"}, "design", "a design of lab lock (lab list designs), in place of the strategy")
		fs.Var(word{&f.kind, "A,B"}, "kind", "a design's lock algorithms; all without it")
		fs.Var(word{&c.Driver, "NAME"}, "driver", "low-level driver, in place of the verifier's own, which refuses and completes commands in every way")
		fs.StringArrayVar(&c.Scenarios, "scenario", nil, "only `NAME`: "+strings.Join(verify.Scenarios(), ", ")+". May be repeated; all without it, or plain where exhaustive")
		fs.Var(count[int]{to: &c.Threads, max: 16}, "threads", "threads that issue commands; 4 without it, or 2 where exhaustive")
		fs.Var(count[int]{to: &c.Commands, max: 64}, "commands", "commands of each thread; 4 without it, or 2 where exhaustive")
		fs.Var(count[int]{to: &c.LUNs, max: 16}, "luns", "LUNs of a target; 2 without it, or 1 where exhaustive")
		fs.Var(count[int]{to: &c.CanQueue, max: 1024}, "can-queue", "slots of the host; 2 without it, or 1 where exhaustive")
		fs.Var(settings{&f.set}, "set", "a parameter's `NAME=VALUE`. May be repeated")
		fs.BoolVar(&c.Strict, "strict", false, "a queue that only the timer of its plug restarts is a finding, too")
	})
	grouped(cmd, "How thoroughly:", func(fs *pflag.FlagSet) {
		fs.Var(count[int]{to: &c.Schedules, max: maxSchedules}, "schedules", "how many to run; 10000 without it, or all where exhaustive")
		fs.Var(seed{&f.seed}, "seed", "what all schedules derive from; 1 without it")
		fs.BoolVar(&c.Exhaustive, "exhaustive", false, "every order of operations, but for those that equal one that was run; half a minute at its default size, and soon hours above it")
		fs.Var(count[int]{to: &c.Preemptions, max: maxPreemptions}, "preemptions", "how often a thread that could go on may be left, in an exhaustive run; 2 without it")
		fs.Var(word{&f.replay, "SCHEDULE"}, "replay", "run the one schedule of a finding, with the flags that it was found with; a search without it")
		fs.BoolVar(&c.AsFound, "as-found", false, "report a finding at the size it was found at, and look for no smaller one")
	})
	outFlags(cmd, &f.format, &f.output, "text", "json")
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.BoolVar(&f.full, "full", false, "every step of a finding, not only those of the strategy's own code on what two threads share")
	})
	completeFlags(cmd)
	complete(cmd, "design", designs.Names)
	complete(cmd, "scenario", verify.Scenarios)
}

// resolve makes the request of what the flags say.
func (f *verifyFlags) resolve() (verify.Config, error) {
	c := f.cfg
	if c.Strategy == "" {
		return c, usagef("which strategy? Add --strategy NAME; legal: %s", strings.Join(names("strategies"), ", "))
	}
	var err error
	if c.Strategy, err = strategyName(c.Strategy); err != nil {
		return c, err
	}
	if c.Driver, err = driverName(c.Driver); err != nil {
		return c, err
	}
	c.Seed, c.Set = f.seed.N, param.Values(f.set)
	if c.Preemptions > 0 && !c.Exhaustive {
		return c, usagef("--preemptions bounds an exhaustive run; add --exhaustive")
	}
	return c, nil
}

func (a *app) runVerify(ctx context.Context, f *verifyFlags) error {
	if f.design != "" {
		return a.verifyDesign(ctx, f)
	}
	c, err := f.resolve()
	if err != nil {
		return err
	}
	if f.kind != "" {
		return usagef("--kind is a design's; legal: with --design NAME")
	}
	if s, err := dispatch.LookupStrategy(c.Strategy); err == nil && c.Set[historicBug] == "true" && !s.KeepsStarvedList {
		a.note("warning: %s=true changes nothing here: strategy %s has no starved list that is kept as 2.6.35 did", historicBug, c.Strategy)
	}
	if f.replay != "" {
		found, err := verify.Replay(c, f.replay)
		if err != nil {
			return usage(err)
		}
		return a.tellFinding(f, found)
	}
	done := a.verifyProgress(&c)
	r, err := verify.Run(ctx, c)
	done()
	if r == nil {
		return usage(err)
	}
	if writeErr := a.emit(f.output, func(w io.Writer) error {
		if f.format == "json" {
			return writeJSON(w, r.Summary())
		}
		return r.Print(w, f.full)
	}); writeErr != nil {
		return errors.Join(err, writeErr)
	}
	switch {
	case r.Finding != nil:
		return a.broken(r.Finding)
	case errors.Is(err, context.Canceled):
		return errInterrupted
	}
	return err
}

// verifyProgress has a run tell on stderr how far it is: in a bar on a terminal,
// and elsewhere, where it is exhaustive and so may take hours, in a line now and
// then.
func (a *app) verifyProgress(c *verify.Config) (done func()) {
	what := "verify " + c.Strategy
	step, say, done := a.progressSaying(what)
	total := float64(c.Schedules)
	if total == 0 {
		total = verify.DefaultSchedules
	}
	next := progressEvery
	c.Progress = func(r explore.Report) {
		far := fmt.Sprintf("%d schedules run, %d cut, %v", r.Schedules, r.Cut, r.Elapsed.Round(time.Second))
		switch {
		case step != nil && c.Exhaustive:
			say(what + ": " + far)
			step(r.Share)
		case step != nil:
			step(float64(r.Schedules) / total)
		case c.Exhaustive && r.Elapsed >= next:
			next = r.Elapsed + progressEvery
			fmt.Fprintf(a.stderr, "lab: %s: %s\n", what, far)
		}
	}
	return done
}

// broken is the error that a finding is. Where it is a panic, the line in which
// that was is told as that of any other panic is.
func (a *app) broken(f *verify.Finding) error {
	if where := faultOf(f.Stack).outside("hostlock/machine").where; where != "" {
		a.note("where: %s", where)
	}
	return fmt.Errorf("%s breaks its contract: %s", f.Config.Strategy, f.What)
}

// tellFinding prints what a replayed schedule came to.
func (a *app) tellFinding(f *verifyFlags, found *verify.Finding) error {
	err := a.emit(f.output, func(w io.Writer) error {
		switch {
		case f.format == "json":
			return writeJSON(w, found.Summary())
		case found == nil:
			_, err := fmt.Fprintln(w, "no finding in this schedule")
			return err
		}
		return found.Print(w, f.full)
	})
	if err == nil && found == nil {
		a.note("a schedule fits the program and the flags that it was found with: where the code has changed since, its steps may be others now, and only a new search says that the fault is gone")
	}
	if err == nil && found != nil {
		err = a.broken(found)
	}
	return err
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
