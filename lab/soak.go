package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment"
	"hostlock/machine/param"
	"hostlock/results"
	"hostlock/verify/soak"
)

// soakFlags are what `lab soak` was asked for.
type soakFlags struct {
	cfg            soak.Config
	seed           experiment.Seed
	set            []param.Setting
	format, output string
}

// soakCommand is `lab soak`.
func (a *app) soakCommand() *cobra.Command {
	f := soakFlags{
		seed: experiment.Seed{N: 1},
	}
	cmd := &cobra.Command{
		Use:   "soak --strategy NAME [flags]",
		Short: "run a strategy for many millions of commands, with faults on",
		Long: `Runs a strategy for as many commands as are asked for, on real cores or in
virtual time, while the driver drops, delays and duplicates completions, refuses
commands in every way and fails some, and the error handler brings the host back.

At the end the ledger must close (issued = completed + failed, nothing completed
twice), no limit may have been exceeded at the driver's boundary, no device may
be offline, and what lives on the heap must not have grown. Readings are taken
before the run, after every tenth, and once everything has stopped.

Exit status: 0 nothing found; 1 a finding; 2 the request was wrong; 130
interrupted, and what was done is reported.`,
		Example: `  lab soak --strategy ring
  lab soak --strategy per-queue --machine sim --commands 100000000
  lab soak --strategy host-lock --set null.drop_rate=0.001`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runSoak(cmd.Context(), &f) },
	}
	f.define(cmd)
	return cmd
}

func (f *soakFlags) define(cmd *cobra.Command) {
	c := &f.cfg
	grouped(cmd, "What is soaked:", func(fs *pflag.FlagSet) {
		fs.Var(word{&c.Strategy, "NAME"}, "strategy", "how the path synchronises (lab list strategies)")
		fs.Var(word{&c.Driver, "NAME"}, "driver", "low-level driver; null without it, which answers at once")
		fs.Var(word{&c.Machine, strings.Join(soak.Machines(), "|")}, "machine", "real cores or virtual time; live without it")
		fs.Var(count[int]{to: &c.Cores, max: soak.MaxCores}, "cores", "cores of the simulated machine; 2 without it")
		fs.Var(settings{&f.set}, "set", "a parameter's `NAME=VALUE`. May be repeated")
		fs.BoolVar(&c.NoFaults, "no-faults", false, "no faults, and no error handling")
	})
	grouped(cmd, "For how long:", func(fs *pflag.FlagSet) {
		fs.Var(count[int64]{to: &c.Commands, min: soak.MinCommands, max: soak.MaxCommands}, "commands", fmt.Sprintf("how many to issue; %d without it", soak.DefaultCommands))
		fs.Var(count[int]{to: &c.Threads, max: soak.MaxThreads}, "threads", "threads that issue them; 8 without it, or 4 in virtual time")
		fs.Var(count[int]{to: &c.Depth, max: soak.MaxDepth}, "depth", "commands that each keeps under way; 4 without it")
		fs.Var(seed{&f.seed}, "seed", "what the threads' random streams derive from, and the faults with them; 1 without it")
	})
	outFlags(cmd, &f.format, &f.output, "text", "json")
	completeFlags(cmd)
}

// resolve makes the request of what the flags say.
func (f *soakFlags) resolve() (soak.Config, error) {
	c := f.cfg
	if c.Strategy == "" {
		return c, usagef("which strategy? Add --strategy NAME; legal: %s", strings.Join(names("strategies"), ", "))
	}
	c.Seed, c.Set = f.seed.N, param.Values(f.set)
	return c, nil
}

func (a *app) runSoak(ctx context.Context, f *soakFlags) error {
	c, err := f.resolve()
	if err != nil {
		return err
	}
	c.Progress = func(r soak.Reading) {
		if r.Commands > 0 {
			a.note("%d commands in %v, live heap %d KiB", r.Commands, r.Elapsed.Round(time.Millisecond), r.Heap>>10)
		}
	}
	r, err := soak.Run(ctx, c)
	if err != nil {
		return usage(err)
	}
	if err := a.emit(f.output, func(w io.Writer) error {
		if f.format == "json" {
			return writeJSON(w, r.Summary())
		}
		return r.Print(w)
	}); err != nil {
		return err
	}
	switch {
	case r.Panic != nil:
		c := r.Config
		return &experiment.Bug{Panic: r.Panic, Identity: results.Identity{
			Strategy: c.Strategy, Driver: c.Driver, Workload: "of its own", Machine: c.Machine,
			Cores: cmp.Or(c.Cores, runtime.GOMAXPROCS(0)), Seed: c.Seed,
		}}
	case len(r.Problems) > 0:
		var found []error
		for _, p := range r.Problems {
			found = append(found, fmt.Errorf("soak of %s: %s", r.Config.Strategy, p))
		}
		return errors.Join(found...)
	case r.Partial:
		return errInterrupted
	}
	return nil
}
