package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment/derive"
	"hostlock/experiment/spec"
	"hostlock/results"
)

// simVsLiveFlags are what `lab sim-vs-live` was asked for.
type simVsLiveFlags struct {
	experiment string
	duration   time.Duration
	pairs      int
	shares     []float64
	costs      string
	format     string
	output     string
}

// simVsLiveCommand is `lab sim-vs-live`.
func (a *app) simVsLiveCommand() *cobra.Command {
	f := simVsLiveFlags{experiment: defaultExperiment, pairs: 1, shares: []float64{10, 20, 30, 40}}
	cmd := &cobra.Command{
		Use:   "sim-vs-live [flags]",
		Short: "the same experiment in virtual time and on this computer, at several loads",
		Long: `Derives a load for each share, runs it on the simulated machine with this
computer's core count and costs, and on this computer, and prints shares and
gains side by side, with how far they lie apart. All cores are busy meanwhile.`,
		Example: `  lab sim-vs-live
  lab sim-vs-live --shares 15,35 --pairs 3 --format markdown`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runSimVsLive(cmd.Context(), &f) },
	}
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.experiment, "NAME|FILE"}, "experiment", "what is run, in place of the headline")
		fs.Var((*shares)(&f.shares), "shares", "settings of the load: the share of host-lock to derive it for, in percent")
		fs.Var(count[int]{to: &f.pairs, max: 1000}, "pairs", "interleaved pairs of live runs a setting")
		fs.Var(duration{to: &f.duration}, "duration", "how long each live run measures; 8s without it")
		fs.Var(word{&f.costs, "NAME|FILE"}, "costs", "cost table (lab list costs), or a file of one; measured in half a second without it")
	})
	outFlags(cmd, &f.format, &f.output, "text", "markdown")
	completeFlags(cmd)
	return cmd
}

func (a *app) runSimVsLive(ctx context.Context, f *simVsLiveFlags) error {
	exp, err := spec.Load(f.experiment)
	if err != nil {
		return err
	}
	opts := derive.SimVsLiveOptions{Shares: f.shares, Each: f.duration, Pairs: f.pairs}
	if f.costs != "" {
		if opts.Costs, err = spec.LoadCosts(f.costs); err != nil {
			return err
		}
	}
	if !derive.Derivable(exp) {
		return usagef("experiment %s has no published host-lock share to derive a load from; legal: %s", f.experiment, defaultExperiment)
	}
	a.announce(opts.Estimate())
	step, done := a.progress("sim and live")
	if step != nil {
		opts.Progress = func(_ string, share float64) { step(share) }
	}
	rows, err := derive.SimVsLive(ctx, exp, opts)
	done()
	if len(rows) > 0 {
		table := derive.AgreementTable(rows)
		if len(rows) < len(f.shares) {
			table.Lines = append(table.Lines, fmt.Sprintf("PARTIAL: %d of %s", len(rows), results.Count(len(f.shares), "load")))
		}
		if writeErr := a.emit(f.output, func(w io.Writer) error {
			return results.WriteTables(w, f.format == "markdown", table)
		}); writeErr != nil {
			return errors.Join(err, writeErr)
		}
	}
	if len(rows) > 0 && errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}
