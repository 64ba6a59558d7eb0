package lab

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/dispatch"
	"hostlock/lab/scaffold"
)

// newFlags are what `lab new` was asked for.
type newFlags struct {
	dir    string
	source string
}

// newCommand is `lab new strategy NAME`.
func (a *app) newCommand() *cobra.Command {
	var f newFlags
	cmd := &cobra.Command{
		Use:   "new strategy NAME [flags]",
		Short: "a folder with a strategy of your own: it builds, runs, and is tested as it is",
		Long: `Writes a folder NAME that is a module of its own: a host's limit in five methods,
plugged into per-queue; the contract of a strategy as one test; and a README with
three exercises and the figures to expect. It needs nothing but Go, and this
program's own source, which its go.mod points to.`,
		Example: `  lab new strategy mine
  cd mine && go test -short . && go run . compare per-queue mine`,
		ValidArgsFunction: completeFrom(false, fixed("strategy")),
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 || args[0] != "strategy":
				return usagef("nothing new named; legal: lab new strategy NAME")
			case len(args) != 2:
				return usagef("new strategy takes one name; legal: lab new strategy NAME")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.runNew(args[1], &f) },
	}
	grouped(cmd, "Where:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.dir, "DIR"}, "dir", "the folder to write, which must not be there; NAME without it")
		fs.Var(word{&f.source, "DIR"}, "source", "where hostlock's own go.mod lies; found by itself without it, where this program still lies beside it")
	})
	return cmd
}

func (a *app) runNew(name string, f *newFlags) error {
	if err := scaffold.CheckName(name); err != nil {
		return usage(err)
	}
	if have, err := dispatch.LookupStrategy(name); err == nil {
		return usagef("strategy %s is there already; legal: a name of its own", have.Name)
	}
	s := scaffold.Strategy{Name: name, Module: "example.org/" + name, Source: f.source}
	if s.Source == "" {
		s.Source = scaffold.Source()
	}
	if !scaffold.IsSource(s.Source) {
		return usagef("--source %q: hostlock's own go.mod is not there; legal: the directory that it lies in", s.Source)
	}
	var err error
	if s.Source, err = filepath.Abs(s.Source); err != nil {
		return err
	}
	dir := f.dir
	if dir == "" {
		dir = name
	}
	if _, err := os.Lstat(dir); err == nil {
		return usagef("%s is there already; legal: a folder that is not there yet, by --dir", dir)
	}
	if err := s.Write(dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s holds strategy %s. Next: cd %s && go test -short . && go run . compare per-queue %s; README.md has three exercises.\n", dir, name, dir, name)
	return err
}
