package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment/spec"
	"hostlock/machine/calibrate"
)

// calibrateFlags are what `lab calibrate` was asked for.
type calibrateFlags struct {
	repetitions int
	output      string
	keep        bool
}

// calibrateCommand is `lab calibrate`.
func (a *app) calibrateCommand() *cobra.Command {
	f := calibrateFlags{repetitions: 15}
	cmd := &cobra.Command{
		Use:   "calibrate [flags]",
		Short: "what this computer's basic operations cost, as a cost table for the simulated machine",
		Long: `Measures the uncontended lock, the way of a cache line between each two cores,
contended and uncontended atomics, the hand-off of a lock by its waiters, the
switch between threads, and how late timers are: each as the median of
interleaved repetitions, with its quartiles, and how steady it was. Prints a cost
table that 'lab run --machine sim --costs FILE' takes. All cores are busy
meanwhile.`,
		Example: `  lab calibrate --output costs.toml
  lab run --strategy host-lock --machine sim --cores 2 --costs costs.toml
  lab calibrate --keep && lab run --machine sim --cores 2 --costs this`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runCalibrate(cmd.Context(), &f) },
	}
	grouped(cmd, "How thoroughly:", func(fs *pflag.FlagSet) {
		fs.Var(count[int]{to: &f.repetitions, max: 1000}, "repetitions", "how often each measurement is made, in turn with the others")
	})
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.output, "FILE"}, "output", "write there, whole or not at all; to stdout without it")
		fs.BoolVar(&f.keep, "keep", false, "keep it on this computer for --costs this, in place of --output")
	})
	return cmd
}

func (a *app) runCalibrate(ctx context.Context, f *calibrateFlags) error {
	if err := f.place(); err != nil {
		return err
	}
	a.announce(time.Duration(f.repetitions) * 200 * time.Millisecond)
	step, done := a.progress("calibrating")
	r, err := calibrate.Measure(ctx, calibrate.Config{Repetitions: f.repetitions, Progress: step})
	done()
	if r == nil || err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	remarks := []string{fmt.Sprintf("%d cores, %.0f turns of the work loop per microsecond", r.Cores, r.Burn), r.Neighbours.String()}
	if err != nil {
		remarks = append(remarks, "PARTIAL: interrupted; what was measured until then")
	}
	for _, text := range r.Remarks {
		remarks = append(remarks, strings.Split(text, "\n")...)
	}
	for _, fig := range r.Figures() {
		remarks = append(remarks, "  "+fig.String())
	}
	costs := spec.CostsOf(r)
	for _, text := range append(spec.DoubtfulCosts(costs), r.Neighbours.Warning()) {
		if text != "" {
			a.note("warning: %s", text)
		}
	}
	if writeErr := a.emit(f.output, func(w io.Writer) error {
		return spec.WriteCosts(w, costs, remarks)
	}); writeErr != nil {
		return errors.Join(err, writeErr)
	}
	if err != nil {
		return errInterrupted
	}
	return nil
}

// place makes room for a table that is kept.
func (f *calibrateFlags) place() error {
	if !f.keep {
		return nil
	}
	if f.output != "" {
		return usagef("--keep and --output %s both say where the table goes; legal: one of them", f.output)
	}
	file, err := spec.ThisCostsFile()
	if err != nil {
		return err
	}
	f.output = file
	return os.MkdirAll(filepath.Dir(file), 0o755)
}
