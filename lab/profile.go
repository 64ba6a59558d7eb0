package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/experiment/derive"
	"hostlock/experiment/spec"
	"hostlock/files"
	"hostlock/profiles"
	"hostlock/results"
)

// profileFlags are what `lab profile` was asked for.
type profileFlags struct {
	experiment string
	duration   time.Duration
	seed       experiment.Seed
	profiles   string
	results    string
	noLive     bool
}

// profileCommand is `lab profile`, the main job.
func (a *app) profileCommand() *cobra.Command {
	f := profileFlags{experiment: defaultExperiment, profiles: "profiles/run", results: "results/run"}
	cmd := &cobra.Command{
		Use:   "profile [flags]",
		Short: "the main job: the headline under every strategy, with profiles, a table and a verdict",
		Long: `Runs an experiment under every strategy in virtual time, then the published pair
on this computer, three times each and interleaved, with genuine CPU profiles.
Writes the profiles and results of each, and prints the published table beside
what was found, the strategies beside each other, a verdict, and the command that
opens a profile. This is what 'make profile' runs. All cores are busy while it
measures; it says beforehand for how long, and Ctrl-C keeps what was done.`,
		Example: `  lab profile
  lab profile --no-live
  lab profile --seed 2 --profiles /tmp/p --results /tmp/r`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runProfile(cmd.Context(), &f) },
	}
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.experiment, "NAME|FILE"}, "experiment", "what is run, in place of the headline")
		fs.Var(duration{to: &f.duration}, "duration", "how long to measure each strategy, in virtual time; the experiment's own without it")
		fs.Var(seed{&f.seed}, "seed", "what all random numbers derive from; the experiment's own without it")
		fs.BoolVar(&f.noLive, "no-live", false, "virtual time only, a few seconds")
	})
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.profiles, "DIR"}, "profiles", "where profiles go")
		fs.Var(word{&f.results, "DIR"}, "results", "where results go, as JSON")
	})
	completeFlags(cmd)
	return cmd
}

func (a *app) runProfile(ctx context.Context, f *profileFlags) error {
	exp, err := spec.Load(f.experiment)
	if err != nil {
		return err
	}
	live := derive.PairOptions{ProfilesDir: f.profiles, Seed: f.seed}
	a.note("first virtual time: %d cores, %d strategies, about a second each", exp.Cores, len(dispatch.Strategies()))
	if !f.noLive && derive.Derivable(exp) {
		a.note("then this computer, all of whose cores will be busy for about %v; Ctrl-C keeps what was measured", live.Estimate().Round(time.Second))
	}
	var runs []*results.Result
	for _, s := range dispatch.Strategies() {
		r, err := a.profileOne(ctx, exp, s.Name, f)
		if r != nil {
			runs = append(runs, r)
		}
		if err != nil {
			if len(runs) > 0 && errors.Is(err, context.Canceled) {
				err = errInterrupted
			}
			// What is done is shown all the same.
			return errors.Join(a.showProfile(exp, runs, nil, f), err)
		}
	}
	if f.noLive || !derive.Derivable(exp) {
		return a.showProfile(exp, runs, nil, f)
	}
	pairs, err := a.profileLive(ctx, exp, live)
	if pairs != nil {
		for _, w := range pairs.Warnings() {
			a.note("warning: %s", w)
		}
	}
	if errors.Is(err, context.Canceled) {
		err = errInterrupted
	}
	if pairs != nil {
		err = errors.Join(err, f.keepPairs(pairs))
	}
	return errors.Join(a.showProfile(exp, runs, pairs, f), err)
}

// profileLive measures the published pair on this computer.
func (a *app) profileLive(ctx context.Context, exp *spec.Spec, opts derive.PairOptions) (*derive.Pairs, error) {
	step, done := a.progress("this computer")
	defer done()
	if step != nil {
		opts.Progress = func(_ string, share float64) { step(share) }
	}
	return derive.LivePairs(ctx, exp, opts)
}

// profileOne runs one strategy and keeps its result.
func (a *app) profileOne(ctx context.Context, exp *spec.Spec, strategy string, f *profileFlags) (*results.Result, error) {
	p, err := experiment.NewPlan(exp, experiment.Request{Strategy: strategy, Machine: "sim", Duration: f.duration, Seed: f.seed})
	if err != nil {
		return nil, err
	}
	step, done := a.progress(strategy)
	r, err := a.run(ctx, p, experiment.Options{ProfilesDir: f.profiles, Progress: step})
	done()
	if r == nil {
		return nil, err
	}
	e := r.Experiment
	if writeErr := f.keep(r, profiles.RunName(e)); writeErr != nil {
		return r, errors.Join(err, writeErr)
	}
	if r.Partial && (err == nil || errors.Is(err, context.Canceled)) {
		return r, errInterrupted
	}
	if err != nil {
		return r, err
	}
	return r, checkResult(r)
}

// keepPairs keeps the results of the live runs, pair by pair.
func (f *profileFlags) keepPairs(pairs *derive.Pairs) error {
	for i, p := range pairs.Runs {
		for _, r := range []*results.Result{p.Before, p.After} {
			if r == nil {
				continue
			}
			e := r.Experiment
			if err := f.keep(r, fmt.Sprintf("%s_pair-%d", profiles.RunName(e), i+1)); err != nil {
				return err
			}
		}
	}
	return nil
}

// keep writes a result as JSON.
func (f *profileFlags) keep(r *results.Result, name string) error {
	json, err := results.Format("json")
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(f.results, name+".json"), func(w io.Writer) error { return json.Result(w, r) })
}

func cpuProfile(r *results.Result) string {
	path, _ := r.Profiles.Get(profiles.KindCPU)
	return path
}

// showProfile prints what the runs amount to.
func (a *app) showProfile(exp *spec.Spec, runs []*results.Result, pairs *derive.Pairs, f *profileFlags) error {
	if len(runs) == 0 {
		return nil
	}
	var tables []results.Table
	if table, err := results.LookupPublished(exp.Source); err == nil {
		byCase := map[string]*results.Result{}
		for _, r := range runs {
			if c, ok := exp.CaseOf(r.Experiment.Strategy); ok && !r.Partial {
				byCase[c.Name] = r
			}
		}
		if rep, err := table.Reproduce(byCase, exp.UsedToFit); err == nil {
			head := rep.Headline()
			head.Title = "published, and simulated on " + fmt.Sprint(exp.Cores) + " virtual cores: " + head.Title
			head.Lines = append(head.Lines, fmt.Sprintf("%d fitted parameters: %s", len(rep.Fitted), strings.Join(rep.Fitted, ", ")))
			tables = append(tables, head)
		}
	}
	all := results.Strategies(fmt.Sprintf("all strategies, the same load, simulated on %d virtual cores", exp.Cores), runs)
	all.Lines = append(all.Lines, "host lock: share of busy time spent spinning on it; contention: on every lock, in retries, and for cache lines that served others")
	if n := len(dispatch.Strategies()); len(runs) < n || slices.ContainsFunc(runs, func(r *results.Result) bool { return r.Partial }) {
		all.Lines = append(all.Lines, fmt.Sprintf("PARTIAL: %d of %d strategies were begun, and the last of them may have been cut short", len(runs), n))
	}
	tables = append(tables, all)
	if pairs != nil {
		tables = append(tables, pairs.Tables()...)
	}
	open := results.Table{Title: "open a profile"}
	for _, r := range runs {
		if path := cpuProfile(r); path != "" {
			open.Lines = append(open.Lines, "go tool pprof -http=: "+path)
		}
	}
	if pairs != nil && len(pairs.Runs) > 0 {
		for _, r := range []*results.Result{pairs.Runs[0].Before, pairs.Runs[0].After} {
			if r != nil && cpuProfile(r) != "" {
				open.Lines = append(open.Lines, "go tool pprof -http=: "+cpuProfile(r))
			}
		}
	}
	open.Lines = append(open.Lines, "results as JSON: "+f.results+"; what the figures are worth: RESULTS.md")
	return results.WriteTables(a.stdout, false, append(tables, open)...)
}
