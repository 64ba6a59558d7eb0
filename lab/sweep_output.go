package lab

import (
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
}

func (o *sweepOutput) define(cmd *cobra.Command) {
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&o.format, "NAME"}, "format", "text, json, csv or markdown")
		fs.Var(word{&o.output, "FILE"}, "output", "write there, whole or not at all; to stdout without it")
		fs.Var(word{&o.plot, "FILE"}, "plot", "draw a chart there, .svg or .png; none without it")
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

// emitSweep writes the chart, then the data.
func (a *app) emitSweep(o *sweepOutput, s *results.Sweep) error {
	if o.plot != "" && len(s.Points) > 0 {
		chart, err := plot.New(s)
		if err != nil {
			return usagef("--plot: %w", err)
		}
		if err := files.Write(o.plot, func(w io.Writer) error { return chart.Write(w, o.kind) }); err != nil {
			return err
		}
	}
	return a.emit(o.output, func(w io.Writer) error { return o.formatter.Write(w, s) })
}
