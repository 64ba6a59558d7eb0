package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment"
	"hostlock/experiment/compare"
	"hostlock/experiment/evidence"
	"hostlock/experiment/spec"
	"hostlock/experiment/sweep"
	"hostlock/files"
)

// compareFlags are what `lab compare` was asked for.
type compareFlags struct {
	experiment string
	req        experiment.Request
	seeds      string
	runs       int
	sets       string
	noSets     bool
	gate       float64 // percent; negative without one
	format     string
	output     string
}

// Ten seeds tell a tenth of a percent of the headline's rate from nothing.
const compareSeeds = "1..10"

// compareCommand is `lab compare`.
func (a *app) compareCommand() *cobra.Command {
	f := compareFlags{experiment: defaultExperiment, gate: -1, req: experiment.Request{Machine: "sim"}}
	cmd := &cobra.Command{
		Use:   "compare A B... [flags]",
		Short: "what another strategy or parameter gains, and how certain that is",
		Long: `Runs each side with the same ten seeds in virtual time, pairs the runs by their
seed, and ends in one sentence: how much faster or slower a side is than the
first, which lock still takes time, and where.

A side is a strategy, STRATEGY:NAME=VALUE,... with parameters of its own,
NAME=VALUE,... for the experiment's own strategy, or a file that 'lab run
--format json' wrote, or several results in one file, or text in Go's benchmark
format, such as 'go test -bench' prints. --set holds for all sides.

Noise over the seeds is chance alone, and more seeds make it as small as one
likes. What is not known is another matter: where parameter sets are known that
meet the same figures ('lab evidence' and 'lab fit' find them, --sets FILE), each
side runs with each of them, and the least and the largest difference is
printed. On machine live the sides take turns, six runs each or more.

Figures of a change are of the median paired ratio, its interval holds at 95 %,
and p is that of the Mann-Whitney U-test, as benchstat has it.

--gate LIMIT is for continuous integration: exit status 1 where a side is more
than LIMIT percent slower than the first, and not by chance. All figures that it
judges share one chance in twenty of a false alarm. Too few runs to tell
anything are a wrong request.`,
		Example: `  lab compare host-lock unlocked-qcmds
  lab compare host-lock unlocked-qcmds --set mptsas.queuecommand=1us
  lab compare host-lock host-lock:host.can_queue=1024 per-queue --experiment mine.toml
  lab compare unlocked-qcmds per-queue ring --cores 256 --weak --set hbas=1
  lab compare before.json after.json --format json
  lab compare before.txt after.txt --gate 5`,
		ValidArgsFunction: completeFrom(true, completeKind("strategies")),
		RunE:              func(cmd *cobra.Command, args []string) error { return a.runCompare(cmd.Context(), args, &f) },
	}
	r := &f.req
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.experiment, "NAME|FILE"}, "experiment", "what is run (lab list experiments), or a file")
		fs.Var(settings{&r.Set}, "set", "a parameter's `NAME=VALUE` on all sides, under those of a side; may be repeated")
		fs.Var(word{&r.Workload, "NAME|FILE"}, "workload", "who issues I/O, in place of the experiment's")
		fs.Var(word{&r.Driver, "NAME"}, "driver", "low-level driver, in place of the experiment's")
		fs.Var(word{&f.seeds, "A,B"}, "seeds", "what random numbers derive from, the same on all sides; "+compareSeeds+" without it")
		fs.Var(count[int]{to: &f.runs, max: 10000}, "runs", "how many seeds, from 1 on, in place of the ones of --seeds")
		fs.Var(word{&f.sets, "FILE"}, "sets", "parameter sets that fit as well, of 'lab fit' or 'lab evidence'; those kept for the experiment without it")
		fs.BoolVar(&f.noSets, "no-sets", false, "leave out the range over parameter sets, and its runs")
	})
	grouped(cmd, "Where, and for how long:", func(fs *pflag.FlagSet) {
		fs.Var(word{&r.Machine, "live|sim"}, "machine", "this computer, or virtual time; sim without it")
		fs.Var(count[int]{to: &r.Cores, max: spec.MaxCores}, "cores", "cores of the simulated machine; the experiment's own without it")
		fs.BoolVar(&r.Weak, "weak", false, "let the load grow with the cores, and HBAs with it but for --set hbas=N")
		fs.Var(count[int]{to: &r.Threads, max: spec.MaxThreads}, "threads", "threads that issue I/O, in place of the experiment's")
		fs.Var(duration{to: &r.Duration}, "duration", "how long each run measures; the experiment's own without it, at most 1 s (5 s on live)")
		costsFlag(fs, &r.Set)
		layoutFlag(fs, &r.Set)
	})
	outFlags(cmd, &f.format, &f.output, "text", "json", "markdown", "gobench")
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(gateLimit{&f.gate}, "gate", "exit status 1 where a side is more than `LIMIT` percent slower than the first, beyond chance; no status judges without it")
	})
	completeFlags(cmd)
	return cmd
}

// gateLimit is the flag --gate.
type gateLimit struct{ to *float64 }

func (p gateLimit) Type() string   { return "LIMIT" }
func (p gateLimit) String() string { return "" }

func (p gateLimit) Set(text string) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "%"), 64)
	if err != nil || !(v >= 0 && v < 100) {
		return errors.New("legal: 0 to less than 100, in percent")
	}
	*p.to = v
	return nil
}

// isFile reports whether a side is a file, and not a strategy of that name.
func isFile(side string) bool {
	if strings.HasSuffix(side, ".json") || strings.HasSuffix(side, ".txt") {
		return true
	}
	info, err := os.Stat(side)
	return err == nil && info.Mode().IsRegular()
}

func (a *app) runCompare(ctx context.Context, args []string, f *compareFlags) error {
	rep, err := a.compared(ctx, args, f)
	if err != nil {
		return err
	}
	var gate *compare.Gate
	if f.gate >= 0 {
		if gate, err = rep.Gate(f.gate); err != nil {
			return err
		}
	}
	if err := a.emit(f.output, func(w io.Writer) error {
		switch f.format {
		case "json":
			return rep.WriteJSON(w)
		case "gobench":
			return rep.WriteBench(w)
		}
		return rep.WriteText(w, f.format == "markdown")
	}); err != nil || gate == nil {
		return err
	}
	return gate.Err()
}

func (a *app) compared(ctx context.Context, args []string, f *compareFlags) (compare.Comparison, error) {
	if len(args) < 2 {
		return nil, usagef("%d sides; legal: two or more, such as: lab compare host-lock unlocked-qcmds", len(args))
	}
	var inFiles int
	for _, arg := range args {
		if isFile(arg) {
			inFiles++
		}
	}
	switch {
	case inFiles == len(args):
		rep, err := compare.Files(args)
		return rep, usage(err)
	case inFiles > 0:
		return nil, usagef("files of results and strategies to run beside each other; legal: all sides of one kind (lab run --format json writes a strategy's file)")
	}
	plan, err := f.resolve(args)
	if err != nil {
		return nil, err
	}
	if plan.Live() {
		a.announce(plan.Estimate())
	}
	step, done := a.progress("compare")
	defer done()
	return plan.Run(ctx, compare.Options{Run: a.run, Derive: a.derive, Progress: step})
}

// resolve checks the whole request before anything runs.
func (f *compareFlags) resolve(args []string) (*compare.Plan, error) {
	exp, err := spec.Load(f.experiment)
	if err != nil {
		return nil, err
	}
	r := compare.Request{Experiment: exp, All: f.req}
	for _, arg := range args {
		side, err := compare.ParseSide(arg)
		if err != nil {
			return nil, err
		}
		r.Sides = append(r.Sides, side)
	}
	if r.Seeds, err = f.listSeeds(); err != nil {
		return nil, err
	}
	switch {
	case f.sets != "" && f.noSets:
		return nil, usagef("--sets and --no-sets; legal: one of them")
	case f.sets != "":
		r.Sets, err = loadSets(f.sets, exp)
	case !f.noSets:
		r.Sets, err = evidence.Kept(exp)
	}
	if err != nil {
		return nil, err
	}
	if f.gate >= 0 {
		if err := compare.CheckGate(f.gate, len(r.Sides)-1, len(r.Seeds)); err != nil {
			return nil, err
		}
	}
	return compare.NewPlan(r)
}

func (f *compareFlags) listSeeds() ([]uint64, error) {
	text := compareSeeds
	switch {
	case f.seeds != "" && f.runs > 0:
		return nil, usagef("--seeds and --runs both say how many runs there are; legal: one of them")
	case f.seeds != "":
		text = f.seeds
	case f.runs == 1:
		text = "1"
	case f.runs > 0:
		text = fmt.Sprintf("1..%d", f.runs)
	case f.req.Machine == "live":
		text = fmt.Sprintf("1..%d", compare.LeastLive)
	}
	list, err := sweep.Expand(text, true)
	if err != nil {
		return nil, usagef("--seeds: %w", err)
	}
	var out []uint64
	for _, v := range list {
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			return nil, usagef("--seeds %q: legal: whole numbers, 0 or more, and ranges of them such as 1..20", v)
		}
		out = append(out, n)
	}
	return out, nil
}

// maxSets bounds a file of parameter sets, in bytes.
const maxSets = 64 << 20

// loadSets reads parameter sets that were found for an experiment.
func loadSets(path string, exp *spec.Spec) (*evidence.Sets, error) {
	text, err := files.Read(path, maxSets)
	if err != nil {
		return nil, usagef("--sets %s: %w; legal: a file that lab fit or lab evidence --sets wrote", path, err)
	}
	s, err := evidence.ReadSets(text)
	switch {
	case err != nil:
		return nil, usagef("--sets %s: %w; legal: a file that lab fit or lab evidence --sets wrote", path, err)
	case s.Basis != evidence.Basis(exp):
		return nil, usagef("--sets %s: was found for another experiment (%s), or for this one before it was edited; legal: sets of %s as it is", path, s.Experiment, exp.Name)
	}
	return s, nil
}
