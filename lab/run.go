package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/results"
)

// runFlags are what `lab run` was asked for.
type runFlags struct {
	experiment string
	req        experiment.Request
	opts       experiment.Options
	costs      string
	format     string
	output     string
	view       results.View
}

const defaultExperiment = "chen-2010"

// runCommand is `lab run`.
func (a *app) runCommand() *cobra.Command {
	f := runFlags{experiment: defaultExperiment, format: "text"}
	cmd := &cobra.Command{
		Use:   "run --strategy NAME [flags]",
		Short: "run one strategy under one load, and say where its time went",
		Long: `Runs an experiment under a strategy, and says first what bounds it, with the
arithmetic. Then come, within a screen, what was published beside what was
found: rates, the host-lock share by function, latency, where the time of the
cores went, contention by class of lock, and what was set or fitted, with its
place. --parameters adds every parameter with its source, --full prints
everything: lock_stat's columns, fairness, the workload's own counts.

On machine sim time is virtual, the cores are as many as you like, and one seed
gives one result, byte for byte. On machine live the same code runs on this
computer's cores, and the shares come from a genuine CPU profile; the headline
is live unless --machine sim is given, and its load is derived for this
computer's core count, so that the published share comes out: the report says
how. All cores are busy meanwhile. --duration is real time there, and idle
pollers keep cores awake: they are in the CPU profile, in no share, and
'go tool pprof -ignore "idlePoll|poller"' leaves them out.

Data goes to stdout, everything else to stderr. Exit status: 0 done; 1 the run
or a check in it failed; 2 the request was wrong; 130 interrupted, and what was
measured is kept, marked partial.`,
		Example: `  lab run --strategy host-lock
  lab run --strategy host-lock --machine sim
  lab run --strategy host-lock --machine live --kind mutex --profiles profiles
  lab run --strategy ring --machine sim --cores 256 --weak
  lab run --strategy unlocked-qcmds --machine sim --set mptsas.queuecommand=1us
  lab run --strategy host-lock --machine sim --format json --profiles profiles > result.json
  lab show experiment chen-2010 > mine.toml && lab run --experiment mine.toml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runRun(cmd.Context(), &f) },
	}
	f.define(cmd)
	return cmd
}

func (f *runFlags) define(cmd *cobra.Command) {
	r := &f.req
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.Var(word{&r.Strategy, "NAME"}, "strategy", "how the path synchronises (lab list strategies); the experiment's own without it")
		fs.Var(word{&f.experiment, "NAME|FILE"}, "experiment", "what is run (lab list experiments), or a file that 'lab show experiment' was copied to")
		fs.Var(word{&r.Workload, "NAME|FILE"}, "workload", "who issues I/O (lab list workloads), or a file, in place of the experiment's")
		fs.Var(word{&r.Driver, "NAME"}, "driver", "low-level driver (lab list drivers), in place of the experiment's")
		fs.Var(word{&r.Kind, "KIND"}, "kind", "algorithm of the host lock (lab list locks); ticket on sim and tas on live without it")
		fs.Var(settings{&r.Set}, "set", "a parameter's `NAME=VALUE`, as the report lists them; scale=N grows threads, LUNs, can_queue and HBAs alike, or shrinks them. May be repeated; the last one of a name counts")
	})
	grouped(cmd, "Where, and for how long:", func(fs *pflag.FlagSet) {
		fs.Var(word{&r.Machine, "live|sim"}, "machine", "this computer, or virtual time; the experiment's own without it, which is live for the headline")
		fs.Var(count[int]{to: &r.Cores, max: spec.MaxCores}, "cores", "cores of the simulated machine; never changes the load by itself; the experiment's own without it")
		fs.BoolVar(&r.Weak, "weak", false, "let the load grow with the cores: scale = cores over the experiment's own")
		fs.Var(count[int]{to: &r.Threads, max: spec.MaxThreads}, "threads", "threads that issue I/O, in place of the experiment's")
		fs.Var(duration{&r.Duration, &r.ProfileDuration}, "duration", "how long to measure, in virtual time on sim and in real time on live; profile takes the workload file's own; the experiment's own without it")
		fs.Var(seed{&r.Seed}, "seed", "what all random numbers derive from; the experiment's own without it")
		fs.Var(word{&f.costs, "NAME|FILE"}, "costs", "cost table of the simulated machine (lab list costs), or a file of one, in place of the default")
		layoutFlag(fs, &r.Set)
	})
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.format, "NAME"}, "format", "text, json, csv, markdown, lockstat, or native, as the workload's own program prints")
		fs.BoolVar(&f.view.Parameters, "parameters", false, "add every parameter to the text, with its source")
		fs.BoolVar(&f.view.Full, "full", false, "print all that was found as text; the other formats have all of it anyway")
		fs.Var(word{&f.output, "FILE"}, "output", "write there, whole or not at all; to stdout without it")
		fs.Var(word{&f.opts.ProfilesDir, "DIR"}, "profiles", "write profiles there, for go tool pprof; none without it")
	})
	completeFlags(cmd)
	complete(cmd, "format", formatNames)
}

// resolve checks the whole request before anything runs.
func (f *runFlags) resolve() (*experiment.Plan, results.Formatter, error) {
	format, err := results.Format(f.format)
	if err != nil {
		return nil, format, usage(err)
	}
	exp, err := spec.Load(f.experiment)
	if err != nil {
		return nil, format, err
	}
	r := f.req
	if f.costs != "" && cmp.Or(r.Machine, exp.Machine) == "live" {
		return nil, format, usagef("--costs %s on machine live, whose costs are this computer's own; legal: --machine sim", f.costs)
	}
	if f.costs != "" {
		if r.Costs, err = spec.LoadCosts(f.costs); err != nil {
			return nil, format, err
		}
	}
	plan, err := experiment.NewPlan(exp, r)
	return plan, format, err
}

func (a *app) runRun(ctx context.Context, f *runFlags) error {
	plan, format, err := f.resolve()
	if err != nil {
		return err
	}
	r, err := a.measure(ctx, plan, f.opts)
	if r == nil {
		return err
	}
	// What was measured is printed even where the run was interrupted or a
	// check in it failed; the status tells.
	a.warn(r.Warnings, format, f.output)
	if writeErr := a.emit(f.output, func(w io.Writer) error {
		if format.Name == "text" {
			return results.WriteReport(w, r, f.view)
		}
		return format.Result(w, r)
	}); writeErr != nil {
		return errors.Join(err, writeErr)
	}
	if r.Partial && (err == nil || errors.Is(err, context.Canceled)) {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	return checkResult(r)
}

// checkResult is what is wrong with a run that has ended: any of it makes the
// figures worthless.
func checkResult(r *results.Result) error {
	var errs []error
	if r.Commands.Lost != 0 {
		errs = append(errs, fmt.Errorf("%d commands were lost under strategy %s", r.Commands.Lost, r.Experiment.Strategy))
	}
	if len(r.CPU.Budget) > 0 {
		if err := results.CheckBudget(r.CPU.Budget); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
