package lab

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// listCommand is `lab list KIND`.
func (a *app) listCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list strategies|workloads|drivers|experiments|locks|designs|costs|layouts|parameters [TEXT] [flags]",
		Short: "what there is to run, to compare and to set",
		Long: `Lists what there is of a kind, one a line. Of parameters, which are all that
--set and an experiment's file take, it has default and unit, too; TEXT, which is
for them alone, leaves those whose name holds it.`,
		Example: `  lab list strategies
  lab list parameters mptsas
  lab list experiments --format json`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			switch {
			case len(args) == 0:
				return kindNames(), cobra.ShellCompDirectiveNoFileComp
			case len(args) == 1 && args[0] == parametersKind:
				return names(parametersKind), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && args[0] == parametersKind {
				args = args[:1]
			}
			return oneOf("list", kindNames)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, k := range kinds {
				if k.name == args[0] {
					list, err := k.list()
					if err != nil {
						return err
					}
					if len(args) == 2 {
						list = slices.DeleteFunc(list, func(e entry) bool { return !strings.Contains(e.Name, args[1]) })
						if len(list) == 0 {
							return usagef("no parameter's name holds %q; legal: a part of one that 'lab list parameters' has", args[1])
						}
					}
					return a.writeList(list, format)
				}
			}
			return nil
		},
	}
	outFlags(cmd, &format, nil, "text", "json")
	return cmd
}

func (a *app) writeList(list []entry, format string) error {
	if format == "json" {
		return writeJSON(a.stdout, append([]entry{}, list...))
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, e := range list {
		if e.Unit != "" { // a parameter
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Name, e.Default, e.Unit, e.About)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\n", e.Name, e.About)
	}
	return w.Flush()
}
