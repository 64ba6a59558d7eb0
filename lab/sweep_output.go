package lab

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment/sweep"
	"hostlock/files"
	"hostlock/results"
	"hostlock/results/plot"
)

// sweepOutput is where a sweep goes, and how it is written.
type sweepOutput struct {
	format    string
	output    string
	plot      string
	formatter results.SweepFormatter
	kind      string // of the chart's file
	theory    bool
	linear    bool
}

func (o *sweepOutput) define(cmd *cobra.Command) {
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&o.format, "NAME"}, "format", "text, json, csv or markdown")
		fs.Var(word{&o.output, "FILE"}, "output", "write there, whole or not at all; to stdout without it")
		fs.Var(word{&o.plot, "FILE"}, "plot", "draw a chart there, .svg or .png; none without it")
		fs.BoolVar(&o.linear, "linear", false, "equal steps on both axes of the chart; logarithmic ones where numbers span much without it")
		fs.BoolVar(&o.theory, "theory", false, "put the published chain of the lock beside the figures: "+results.TheoryLimits)
	})
	complete(cmd, "format", sweepFormatNames)
}

func sweepFormatNames() []string {
	var out []string
	for _, f := range results.SweepFormats() {
		out = append(out, f.Name)
	}
	return out
}

// check refuses what could not be written, before anything runs.
func (o *sweepOutput) check() (err error) {
	if o.formatter, err = results.SweepFormat(o.format); err != nil {
		return usage(err)
	}
	if o.plot != "" {
		if o.kind, err = plot.Format(o.plot); err != nil {
			return usagef("--plot: %w", err)
		}
	}
	return nil
}

// checkChart refuses a sweep of which no chart can be drawn, where one is
// wanted.
func (o *sweepOutput) checkChart(d *results.SweepDef) error {
	if o.plot == "" {
		return nil
	}
	if err := plot.Check(d); err != nil {
		return usagef("--plot: %w", err)
	}
	return nil
}

// emitSweep writes the chart, then the data, which a chart that cannot be
// written takes nothing from.
func (a *app) emitSweep(o *sweepOutput, s *results.Sweep) error {
	var undrawn error
	s.WithTheory = o.theory
	if o.plot != "" && len(s.Points) > 0 {
		chart, err := plot.New(s)
		if err != nil {
			return usagef("--plot: %w", err)
		}
		if o.linear {
			chart.Linear()
		}
		undrawn = files.Write(o.plot, func(w io.Writer) error { return chart.Write(w, o.kind) })
	}
	return errors.Join(undrawn, a.emit(o.output, func(w io.Writer) error { return o.formatter.Write(w, s) }))
}

// mergeCommand is `lab merge FILE...`.
func (a *app) mergeCommand() *cobra.Command {
	out := sweepOutput{format: "text"}
	cmd := &cobra.Command{
		Use:   "merge FILE... [flags]",
		Short: "the parts of a sweep put together",
		Long: `Puts together what parts of one sweep wrote, by --resume or --format json: the
result is that of the sweep run whole. A single file is printed, or drawn, as it
is.

Parts of different sweeps are refused. Points that no part has are named, the
result is marked partial, and the exit status is 1.`,
		Example: `  lab merge part-*.json
  lab merge part-*.json --format csv --output all.csv --plot all.svg`,
		ValidArgsFunction: completeFrom(true, func() []string { return nil }),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("nothing to merge; legal: files that lab sweep wrote, by --resume or --format json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.runMerge(args, &out) },
	}
	out.define(cmd)
	return cmd
}

// namedMissing is how many missing points are named.
const namedMissing = 10

func (a *app) runMerge(files []string, out *sweepOutput) error {
	if err := out.check(); err != nil {
		return err
	}
	var parts []*results.Sweep
	for _, f := range files {
		s, err := sweep.Read(f)
		if err != nil {
			return err
		}
		parts = append(parts, s)
	}
	s, missing, err := sweep.Merge(files, parts)
	if err != nil {
		return err
	}
	if err := a.emitSweep(out, s); err != nil {
		return err
	}
	if len(missing) == 0 {
		return nil
	}
	for i, m := range missing {
		if i == namedMissing && len(missing) > namedMissing+1 {
			a.note("missing: %d more", len(missing)-i)
			break
		}
		a.note("missing: %s", m)
	}
	return fmt.Errorf("%d of %s missing; the result is partial", len(missing), results.Count(len(missing)+len(s.Points), "point"))
}
