package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/experiment/compare"
	"hostlock/experiment/evidence"
	"hostlock/experiment/fit"
	"hostlock/experiment/spec"
	"hostlock/files"
)

// fitFlags are what `lab fit` was asked for.
type fitFlags struct {
	req     fit.Request
	vary    string
	answers []string
	sets    string
	format  string
	output  string
}

// fitCommand is `lab fit`.
func (a *app) fitCommand() *cobra.Command {
	f := fitFlags{}
	cmd := &cobra.Command{
		Use:   "fit FILE --target FIGURE=VALUE --vary PARAMETER,... [flags]",
		Short: "every parameter set that meets what you measured, and how far the answer scatters over them",
		Long: `Searches a box of parameters for every set at which the experiment gives the
figures that you measured, in virtual time; then runs another strategy with each
of those sets, and prints how far its gain scatters over them: what your figures
leave open. An answer that ends where a parameter meets the edge of its box is
named, since a wider box may say more.

The box is a factor of 4 either way of the file's value, or NAME=FROM..TO. A set
fits where each figure is within 2 % of its target. Figures: iops,
throughput_mb_s, host_lock_pct, contention_pct, busy_pct, or a function's share,
such as scsi_request_fn_pct. 'lab compare --sets FILE' takes the sets. Exit status 1 where no set fits.`,
		Example: `  lab fit mine.toml --target host_lock_pct=30 --target iops=198000 --vary midlayer.section,fs.cpu
  lab fit mine.toml --target iops=198000 --vary fs.cpu=10us..1ms --answer per-queue --sets sets.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usagef("no experiment named; legal: %s, or a file", legal(names("experiments")))
			case len(args) > 1:
				return usagef("unexpected %q behind %q; see '%s --help'", args[1], args[0], cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeFrom(true, completeKind("experiments")),
		RunE:              func(cmd *cobra.Command, args []string) error { return a.runFit(cmd.Context(), args[0], &f) },
	}
	r := &f.req
	grouped(cmd, "What is fitted:", func(fs *pflag.FlagSet) {
		fs.Var(targets{&r.Targets}, "target", "a `FIGURE=VALUE` that was measured; may be repeated")
		fs.Var(word{&f.vary, "NAME,..."}, "vary", "parameters that vary, each NAME or NAME=FROM..TO; nothing is varied without it")
		fs.Var(number{&r.Tolerance}, "tolerance", "how near a figure must come, in percent of its target; 2 without it")
		fs.Var(number{&r.Box}, "box", "how far a parameter varies, as a factor either way; 4 without it")
		fs.Var(count[int]{to: &r.Searches, max: 1000}, "searches", "how many searches begin, all over the box; 16 without it")
	})
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.StringArrayVar(&f.answers, "answer", nil, "a `SIDE` as in lab compare, run with every set that fits; may be repeated; unlocked-qcmds without it, per-queue where that cannot be")
		fs.Var(settings{&r.All.Set}, "set", "a parameter's `NAME=VALUE` in all runs; may be repeated")
		fs.Var(count[int]{to: &r.All.Threads, max: spec.MaxThreads}, "threads", "threads that issue I/O, in place of the experiment's")
		fs.Var(duration{to: &r.All.Duration}, "duration", "how long each run measures, in virtual time; the experiment's own without it, at most 250ms")
		fs.Var(seed{&r.All.Seed}, "seed", "what all random numbers derive from; 0 without it")
	})
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.sets, "FILE"}, "sets", "write the sets that fit there, for lab compare --sets; not written without it")
	})
	outFlags(cmd, &f.format, &f.output, "text", "json", "markdown")
	completeFlags(cmd)
	return cmd
}

func (a *app) runFit(ctx context.Context, name string, f *fitFlags) error {
	plan, err := f.resolve(name)
	if err != nil {
		return err
	}
	step, done := a.progress("fit")
	found, err := plan.Run(ctx, fit.Options{Run: a.run, Progress: step})
	done()
	if err != nil {
		return err
	}
	if f.sets != "" {
		err = files.Write(f.sets, found.Kept().Write)
	}
	return errors.Join(err, a.emit(f.output, func(w io.Writer) error {
		if f.format == "json" {
			return found.WriteJSON(w)
		}
		return found.WriteText(w, f.format == "markdown")
	}))
}

func (f *fitFlags) resolve(name string) (*fit.Plan, error) {
	exp, err := spec.Load(name)
	if err != nil {
		return nil, err
	}
	r := f.req
	r.Experiment, r.All.Machine = exp, "sim"
	if f.vary != "" {
		r.Vary = strings.Split(f.vary, ",")
	}
	answers := f.answers
	if len(answers) == 0 {
		answers = []string{answerTo(exp)}
	}
	for _, text := range answers {
		side, err := compare.ParseSide(text)
		if err != nil {
			return nil, err
		}
		r.Answers = append(r.Answers, side)
	}
	return fit.NewPlan(r)
}

// answerTo is the strategy that an experiment is asked about where no other is
// named: the patch, where its driver can do without the host lock and does not
// have the patch yet, else a lock a queue.
func answerTo(exp *spec.Spec) string {
	const patch, next = "unlocked-qcmds", "per-queue"
	own, err := dispatch.LookupStrategy(exp.Strategy)
	if err != nil || own.Name != "host-lock" {
		return next
	}
	if _, err := experiment.NewPlan(exp, experiment.Request{Machine: "sim", Strategy: patch}); err != nil {
		return next
	}
	return patch
}

// targets is the flag --target.
type targets struct{ to *[]evidence.Target }

func (t targets) Type() string   { return "FIGURE=VALUE" }
func (t targets) String() string { return "" }

func (t targets) Set(text string) error {
	v, err := fit.ParseTarget(text)
	if err == nil {
		*t.to = append(*t.to, v)
	}
	return err
}

// number is a flag that holds a number above 0.
type number struct{ to *float64 }

func (n number) Type() string { return "N" }

func (n number) String() string {
	if n.to == nil || *n.to == 0 {
		return ""
	}
	return strconv.FormatFloat(*n.to, 'g', -1, 64)
}

func (n number) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v <= 1e6) {
		return fmt.Errorf("legal: a number above 0, such as 2.5")
	}
	*n.to = v
	return nil
}
