package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment/evidence"
	"hostlock/experiment/spec"
	"hostlock/files"
	"hostlock/results"
)

// evidenceFlags are what `lab evidence` was asked for.
type evidenceFlags struct {
	duration time.Duration
	ensemble int
	format   string
	output   string
	sets     string
}

// evidenceCommand is `lab evidence`.
func (a *app) evidenceCommand() *cobra.Command {
	f := evidenceFlags{ensemble: 120, duration: time.Second}
	cmd := &cobra.Command{
		Use:   "evidence [NAME|FILE] [flags]",
		Short: "what a reproduction is worth: sensitivity, and all parameter sets that fit as well",
		Long: `Hitting a published figure proves little where the model has values to fit. This
shows how the answer moves when each parameter is wrong, one at a time, and how
far the figures that were not used to fit scatter over many parameter sets, each
drawn at random and fitted anew to those that were. It takes minutes.`,
		Example: `  lab evidence chen-2010
  lab evidence chen-2010 --ensemble 20 --format markdown --output evidence.md`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("unexpected %q behind %q; see '%s --help'", args[1], args[0], cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeFrom(true, completeKind("experiments")),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := defaultExperiment
			if len(args) == 1 {
				name = args[0]
			}
			return a.runEvidence(cmd.Context(), name, &f)
		},
	}
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.Var(duration{to: &f.duration}, "duration", "how long to measure each run, in virtual time")
		fs.Var(count[int]{to: &f.ensemble, max: 100000}, "ensemble", "how many parameter sets to draw and fit; 1 or more")
	})
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.sets, "FILE"}, "sets", "write the parameter sets that fit there, too, as lab compare --sets reads them; not written without it")
	})
	outFlags(cmd, &f.format, &f.output, "text", "markdown")
	return cmd
}

func (a *app) runEvidence(ctx context.Context, name string, f *evidenceFlags) error {
	exp, err := spec.Load(name)
	if err != nil {
		return err
	}
	setup, err := evidence.New(exp)
	if err != nil {
		return err
	}
	setup.Duration = f.duration
	step := func(what string) func() {
		var done func()
		setup.Progress, done = a.progress(what)
		return done
	}
	done := step("sensitivity")
	base, err := setup.Base(ctx)
	if err != nil {
		done()
		return err
	}
	changes, err := setup.Sensitivity(ctx)
	done()
	var e *evidence.Ensembled
	if err == nil {
		done = step("ensemble")
		e, err = setup.Ensemble(ctx, f.ensemble, exp.FittedNames(), exp.UsedToFit)
		done()
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	tables := setup.Tables(base, changes, e)
	head := &tables[0].Lines
	*head = append(*head, fmt.Sprintf("command: lab evidence %s --duration %v --ensemble %d", name, f.duration, f.ensemble))
	if err != nil {
		*head = append(*head, "PARTIAL: interrupted; parameters and sets that were not reached are missing")
	}
	if writeErr := a.emit(f.output, func(w io.Writer) error {
		return results.WriteTables(w, f.format == "markdown", tables...)
	}); writeErr != nil {
		return writeErr
	}
	if f.sets != "" && e != nil {
		if err := files.Write(f.sets, setup.Sets(e).Write); err != nil {
			return err
		}
	}
	if err != nil {
		return errInterrupted
	}
	return nil
}
