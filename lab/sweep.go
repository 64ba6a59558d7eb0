package lab

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment/sweep"
	"hostlock/results"
)

// sweepFlags are what `lab sweep` was asked for.
type sweepFlags struct {
	req      sweep.Request
	strategy string
	shard    string
	shards   int
	resume   string
	out      sweepOutput
}

// defaultStrategies are swept where none is named: what was published, and
// two designs that do without the host lock.
const defaultStrategies = "host-lock,unlocked-qcmds,per-queue,ring"

// sweepCommand is `lab sweep`.
func (a *app) sweepCommand() *cobra.Command {
	f := sweepFlags{
		req: sweep.Request{Experiment: defaultExperiment}, strategy: defaultStrategies,
		out: sweepOutput{format: "text"},
	}
	cmd := &cobra.Command{
		Use:   "sweep [--strategy A,B] [--cores 1..256] [--weak] [--set NAME=A,B] [flags]",
		Short: "every combination of strategies, cores and parameters, as a table or a chart",
		Long: `Runs an experiment in virtual time at every combination of what is listed, on
all cores of this computer, and prints one table; with --plot it draws rate and
contention against the cores, or else against the first parameter that varies,
bytes a second where commands differ in size. What the table shows stands above
it in words. --theory adds the closed form of a lock to both.

Lists have commas. 1..256 doubles from 1 to 256, 1..9+2 goes up in steps, and
both end with the last number; its ends have one unit, as 0.5us..12us has, or two
of a kind, as 0.5us..2ms.

Each point measures 8 core-seconds of virtual time after 2 of warm-up (50 ms at
256 cores; never more than the experiment's own), so that all take about as
long; --duration and --warmup say otherwise.

With --resume what is done is kept in a file after each point, and not run
again; widen the sweep and only the new points run. Ctrl-C keeps what is done
(exit status 130). The file knows the experiment's text and the workload's, not
the program: begin a new one when a strategy's code has changed.

A sweep that outgrows one computer runs in parts, as an array job: --shard 2/3,
or taken from SLURM_ARRAY_TASK_ID (_COUNT, _MIN, _STEP) of a Slurm array, or,
with --shards N, from JOB_COMPLETION_INDEX of a Kubernetes Indexed Job. 'lab
merge' puts the parts together.`,
		Example: `  lab sweep --cores 1..256 --weak --set hbas=1 --plot collapse.svg
  lab sweep --strategy host-lock,unlocked-qcmds --set mptsas.queuecommand=0.5us..12us
                                        where the patch's gain appears
  lab sweep --strategy ring --cores 1..1024 --weak --seeds 1..5 --format csv > ring.csv
  lab sweep --experiment max-sge --strategy host-lock --set megasas.max_sge=1..80+1 --plot sge.png
  lab sweep --cores 1..256 --set fs.cpu=100us,200us,400us --resume big.json
  sbatch --array=1-16 --wrap 'lab sweep --cores 1..1024 --weak --resume part-$SLURM_ARRAY_TASK_ID.json'
  lab merge part-*.json --plot all.svg`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runSweep(cmd.Context(), &f) },
	}
	f.define(cmd)
	return cmd
}

func (f *sweepFlags) define(cmd *cobra.Command) {
	r := &f.req
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.Var(word{&r.Experiment, "NAME|FILE"}, "experiment", "what is run (lab list experiments), or a file")
		fs.Var(word{&f.strategy, "A,B"}, "strategy", "strategies (lab list strategies), or all; gains are against the first")
		fs.Var(word{&r.Workload, "NAME|FILE"}, "workload", "who issues I/O, in place of the experiment's")
		fs.Var(word{&r.Driver, "NAME"}, "driver", "low-level driver, in place of the experiment's")
		fs.Var(settings{&r.Set}, "set", "a parameter's `NAME=A,B`; scale=N grows the load; hbas=1 keeps it on one HBA, where --weak and scale add HBAs. May be repeated")
		fs.Var(word{&r.Seeds, "A,B"}, "seeds", "what random numbers derive from; the table has means over them; the experiment's own one without it")
	})
	grouped(cmd, "Where, and for how long:", func(fs *pflag.FlagSet) {
		fs.Var(word{&r.Cores, "A,B"}, "cores", "cores of the simulated machine; the experiment's own without it")
		fs.BoolVar(&r.Weak, "weak", false, "let the load grow with the cores, and HBAs with it: a number set by --set hbas=N stays")
		fs.Var(duration{to: &r.Duration}, "duration", "how long each point measures, in virtual time; 8 core-seconds without it")
		fs.Var(duration{to: &r.Warmup}, "warmup", "how long each point warms up before, in virtual time; 2 core-seconds without it")
		costsFlag(fs, &r.Set)
		layoutFlag(fs, &r.Set)
	})
	grouped(cmd, "In parts:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.resume, "FILE"}, "resume", "keep what is done there, and do not run again what is there; nothing is kept without it")
		fs.Var(word{&f.shard, "I/N"}, "shard", "run the I-th of N parts; what the scheduler's environment says without it, else the whole")
		fs.Var(count[int]{to: &f.shards, max: 100000}, "shards", "how many parts there are; what the scheduler's environment says without it")
	})
	f.out.define(cmd)
	completeFlags(cmd)
}

// resolve checks the whole request.
func (f *sweepFlags) resolve(a *app) (*sweep.Plan, sweep.Shard, error) {
	var shard sweep.Shard
	if err := f.out.check(); err != nil {
		return nil, shard, err
	}
	f.req.Strategies = strings.Split(f.strategy, ",")
	if f.strategy == "all" {
		f.req.Strategies = names("strategies")
	}
	var err error
	switch {
	case f.shard != "" && f.shards != 0:
		return nil, shard, usagef("--shard and --shards both say how many parts there are; legal: one of them")
	case f.shard != "":
		if shard, err = sweep.ParseShard(f.shard); err != nil {
			return nil, shard, usagef("--shard %q: %w", f.shard, err)
		}
	default:
		var from string
		if shard, from, err = sweep.ShardFromEnv(os.Getenv, f.shards); err != nil {
			return nil, shard, err
		}
		if from != "" {
			a.note("part %s of the sweep, from %s; --shard 1/1 is the whole", shard, from)
		}
	}
	plan, err := sweep.NewPlan(f.req)
	if err != nil {
		return nil, shard, err
	}
	return plan, shard, f.out.checkChart(&plan.Definition)
}

func (a *app) runSweep(ctx context.Context, f *sweepFlags) error {
	plan, shard, err := f.resolve(a)
	if err != nil {
		return err
	}
	opts := sweep.Options{Run: a.run, Shard: shard}
	var store *sweep.Store
	if f.resume != "" {
		if store, opts.Done, err = sweep.Open(f.resume); err != nil {
			return err
		}
		opts.Save = store.Save
		if n := len(opts.Done); n > 0 {
			a.note("done already, from %s: %d of the points", f.resume, n)
		}
	}
	step, done := a.progress(results.Count(plan.Len(), "point"))
	opts.Progress = step
	s, runErr := plan.Run(ctx, opts)
	done()
	if s == nil {
		return runErr
	}
	if store != nil {
		runErr = errors.Join(runErr, store.Flush())
	}
	if err := a.emitSweep(&f.out, s); err != nil {
		return errors.Join(runErr, err)
	}
	if errors.Is(runErr, context.Canceled) {
		a.note("done: %d of %s%s", len(s.Points), results.Count(len(s.Points)+s.Missing, "point"), hint(f.resume))
		return errInterrupted
	}
	return runErr
}

func hint(resume string) string {
	if resume == "" {
		return "; with --resume FILE they would be kept for the next time"
	}
	return "; the same command goes on from there"
}
