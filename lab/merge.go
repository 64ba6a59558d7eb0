package lab

import (
	"fmt"

	"github.com/spf13/cobra"

	"hostlock/experiment/sweep"
	"hostlock/results"
)

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
