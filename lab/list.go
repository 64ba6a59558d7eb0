package lab

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// listCommand is `lab list KIND`.
func (a *app) listCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list strategies|workloads|drivers|experiments|locks [flags]",
		Short: "what there is to run and to compare",
		Example: `  lab list strategies
  lab list experiments --format json`,
		ValidArgsFunction: completeFrom(false, kindNames),
		Args:              oneOf("list", kindNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, k := range kinds {
				if k.name == args[0] {
					list, err := k.list()
					if err != nil {
						return err
					}
					return a.writeList(list, format)
				}
			}
			return nil
		},
	}
	format = "text"
	cmd.Flags().Var(word{&format, "NAME"}, "format", "text or json")
	if err := cmd.RegisterFlagCompletionFunc("format", completeFrom(false, fixed("text", "json"))); err != nil {
		panic("lab: " + err.Error())
	}
	return cmd
}

func (a *app) writeList(list []entry, format string) error {
	switch format {
	case "text":
		w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		for _, e := range list {
			fmt.Fprintf(w, "%s\t%s\n", e.Name, e.About)
		}
		return w.Flush()
	case "json":
		if list == nil {
			list = []entry{}
		}
		enc := json.NewEncoder(a.stdout)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(list)
	}
	return usagef("unknown format %q; legal: text, json", format)
}
