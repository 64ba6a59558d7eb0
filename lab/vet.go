package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"hostlock/vet"
)

// vetCommand is `lab vet`.
func (a *app) vetCommand() *cobra.Command {
	var format, output string
	cmd := &cobra.Command{
		Use:   "vet [PACKAGES] [flags]",
		Short: "what no machine sees in the source of strategies, limits, drivers and designs",
		Long: `Reads the source of packages, given as the go command takes them, or of the one
in this directory, and looks in the verbs of every strategy, limit, driver and
design, and in what they call, for

  foreign  locks, atomics, channels, goroutines of Go's own: free in virtual time
  clock    package time's clock and timers, Go's random numbers, loops over maps:
           a simulated run is another one every time
  fields   plain fields that verbs write without Touch of a declared line
  dummy    words that are loaded and not looked at

A use that is meant is marked //lab:free WHY, on its line or the line before, at
the declaration of its field, or in the comment of its function. It needs the go
command.

Exit status: 0 nothing found; 1 findings; 2 the packages cannot be read.`,
		Example: `  lab vet
  lab vet ./mine/...
  lab vet --format json ./strategies`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runVet(cmd.Context(), args, format, output)
		},
	}
	outFlags(cmd, &format, &output, "text", "json")
	completeFlags(cmd)
	return cmd
}

func (a *app) runVet(ctx context.Context, patterns []string, format, output string) error {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	r, err := vet.Run(ctx, dir, patterns)
	var unloadable *vet.Unloadable
	switch {
	case errors.As(err, &unloadable):
		return usage(err)
	case err != nil:
		return err
	}
	err = a.emit(output, func(w io.Writer) error {
		if format == "json" {
			return writeJSON(w, r)
		}
		return r.Print(w)
	})
	if n := len(r.Findings); n > 0 {
		err = errors.Join(err, fmt.Errorf("%s in %d strategies, limits, drivers and designs", counted(n, "finding"), len(r.Types)))
	}
	return err
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
