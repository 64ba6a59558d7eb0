package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/results"
)

// reproduceFlags are what `lab reproduce` was asked for.
type reproduceFlags struct {
	req      experiment.Request
	format   string
	output   string
	profiles string
	strict   bool
}

// reproduceCommand is `lab reproduce`.
func (a *app) reproduceCommand() *cobra.Command {
	f := reproduceFlags{format: "text"}
	cmd := &cobra.Command{
		Use:   "reproduce [NAME|FILE...] [flags]",
		Short: "the published tables beside what the simulation gives",
		Long: `Runs the cases of each experiment that has a published table, in virtual time,
and prints every published figure beside its simulated one: error, band, whether
a fitted parameter was chosen by it, and the naive guess. Without a name it does
all of them.

A row outside its band is a finding, not a failure: the exit status stays 0
unless --strict is given.`,
		Example: `  lab reproduce
  lab reproduce chen-2010 --seed 2
  lab reproduce chen-2010 --format json | jq '.[0].rows[] | {name, published, measured}'`,
		ValidArgsFunction: completeFrom(true, completeKind("experiments")),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runReproduce(cmd.Context(), args, &f)
		},
	}
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.Var(settings{&f.req.Set}, "set", "a parameter's `NAME=VALUE` in all cases; may be repeated")
		fs.Var(duration{to: &f.req.Duration}, "duration", "how long to measure each case, in virtual time; the experiment's own without it")
		fs.Var(seed{&f.req.Seed}, "seed", "what all random numbers derive from; the experiment's own without it")
	})
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.format, "NAME"}, "format", "text, json, csv or markdown")
		fs.Var(word{&f.output, "FILE"}, "output", "write there, whole or not at all; to stdout without it")
		fs.Var(word{&f.profiles, "DIR"}, "profiles", "write profiles there, a directory an experiment; none without it")
		fs.BoolVar(&f.strict, "strict", false, "exit status 1 where a row lies outside its band")
	})
	completeFlags(cmd)
	complete(cmd, "format", reproductionFormatNames)
	return cmd
}

// reproduction is one experiment that has a published table.
type reproduction struct {
	exp   *spec.Spec
	table *results.Published
}

func (a *app) runReproduce(ctx context.Context, args []string, f *reproduceFlags) error {
	format, err := results.ReproductionFormat(f.format)
	if err != nil {
		return usage(err)
	}
	todo, err := reproductions(args)
	if err != nil {
		return err
	}
	var reps []results.Reproduction
	var runErr error
	for _, r := range todo {
		var rep results.Reproduction
		rep, runErr = a.reproduce(ctx, r, f)
		if runErr != nil && len(rep.Rows) == 0 {
			break
		}
		reps = append(reps, rep)
		a.warn(rep.Warnings, format, f.output)
		if runErr != nil {
			break
		}
	}
	var bad *spec.UsageError
	if len(reps) > 0 && !errors.As(runErr, &bad) {
		// Where it was interrupted, the experiments that were done are kept.
		if err := a.emit(f.output, func(w io.Writer) error { return format.Reproductions(w, reps) }); err != nil {
			return errors.Join(runErr, err)
		}
	}
	if runErr == errInterrupted && len(reps) == 0 {
		return errNothing
	}
	if runErr != nil {
		return runErr
	}
	return f.judge(reps)
}

// judge is an error where a strict reader would not be content.
func (f *reproduceFlags) judge(reps []results.Reproduction) error {
	if !f.strict {
		return nil
	}
	var errs []error
	for _, r := range reps {
		if !r.OK {
			errs = append(errs, fmt.Errorf("%s: a row lies outside its band", r.Name))
		}
	}
	return errors.Join(errs...)
}

// reproductions finds the experiments that are named, or all that have a
// published table.
func reproductions(args []string) ([]reproduction, error) {
	every := len(args) == 0
	if every {
		args = spec.Builtins()
	}
	var out []reproduction
	for _, arg := range args {
		exp, err := spec.Load(arg)
		if err != nil {
			return nil, err
		}
		if exp.Source == "" {
			if every {
				continue
			}
			return nil, usagef("experiment %s has no published table (source = ...); legal: %s", arg, legal(withTable()))
		}
		table, err := results.LookupPublished(exp.Source)
		if err != nil {
			return nil, exp.Errorf("source", "%v", err)
		}
		for _, name := range table.Cases() {
			if !slices.ContainsFunc(exp.Cases, func(c spec.Case) bool { return c.Name == name }) {
				return nil, exp.Errorf("source", "published table %s needs a [[case]] named %s", exp.Source, name)
			}
		}
		out = append(out, reproduction{exp, table})
	}
	return out, nil
}

// reproduce runs the cases of one experiment and puts them beside the table.
func (a *app) reproduce(ctx context.Context, r reproduction, f *reproduceFlags) (results.Reproduction, error) {
	runs := map[string]*results.Result{}
	for _, c := range r.exp.Cases {
		req := f.req
		req.Machine, req.Strategy, req.Driver, req.Workload = "sim", c.Strategy, c.Driver, c.Workload
		req.Set = slices.Concat(c.Set, f.req.Set)
		p, err := experiment.NewPlan(r.exp, req)
		if err != nil {
			return results.Reproduction{}, inCase(r.exp, c, err)
		}
		opts := experiment.Options{}
		if f.profiles != "" {
			opts.ProfilesDir = filepath.Join(f.profiles, r.exp.Name, c.Name)
		}
		step, done := a.progress(r.exp.Name + " " + c.Name)
		opts.Progress = step
		res, err := a.run(ctx, p, opts)
		done()
		if res != nil && res.Partial && (err == nil || errors.Is(err, context.Canceled)) {
			runs[c.Name] = res
			err = context.Canceled
		}
		if errors.Is(err, context.Canceled) {
			rep, _ := r.table.ReproducePartly(runs, r.exp.UsedToFit)
			rep.Name = r.exp.Name
			return rep, errInterrupted
		}
		if err != nil {
			return results.Reproduction{}, inCase(r.exp, c, err)
		}
		if err := checkResult(res); err != nil {
			return results.Reproduction{}, inCase(r.exp, c, err)
		}
		runs[c.Name] = res
	}
	rep, err := r.table.Reproduce(runs, r.exp.UsedToFit)
	rep.Name = r.exp.Name
	return rep, err
}

// inCase says in which run something went wrong.
func inCase(s *spec.Spec, c spec.Case, err error) error {
	return fmt.Errorf("%s, case %s: %w", s.Name, c.Name, err)
}

// withTable are the built-in experiments that have a published table.
func withTable() []string {
	return slices.DeleteFunc(spec.Builtins(), func(name string) bool {
		exp, err := spec.Load(name)
		return err != nil || exp.Source == ""
	})
}
