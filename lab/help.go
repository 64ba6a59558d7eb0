package lab

import (
	"bytes"
	"fmt"
	"hostlock/experiment/spec"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroup is the annotation of a flag that names the heading under which
// help lists it.
const flagGroup = "group"

// helpWidth is where lines of flags wrap.
const helpWidth = 88

// grouped puts the flags that add defines under a heading.
func grouped(cmd *cobra.Command, heading string, add func(*pflag.FlagSet)) {
	fs := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	fs.SortFlags = false
	add(fs)
	fs.VisitAll(func(f *pflag.Flag) {
		f.Annotations = map[string][]string{flagGroup: {heading}}
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(fs)
}

// writeHelp prints the help of a command to stdout, since it was asked for.
func (a *app) writeHelp(cmd *cobra.Command, _ []string) {
	var b bytes.Buffer
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	fmt.Fprintf(&b, "%s\n\nUsage:\n", strings.TrimSpace(text))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND [flags]\n", cmd.CommandPath())
	} else {
		// Cobra would add [flags] to a command that has none but --help.
		cmd.DisableFlagsInUseLine = true
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.TrimRight(cmd.Example, "\n"))
	}
	for _, g := range cmd.Groups() {
		fmt.Fprintf(&b, "\n%s\n", g.Title)
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && !c.Hidden {
				fmt.Fprintf(&b, "  %-*s %s\n", cmd.Commands()[0].NamePadding(), c.Name(), c.Short)
			}
		}
	}
	writeFlags(&b, cmd)
	writeNotation(&b, cmd)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n'%s help COMMAND' says more about one.\n", cmd.CommandPath())
	}
	if _, err := a.stdout.Write(b.Bytes()); err != nil {
		a.unwritten = err
	}
}

// writeFlags lists the flags by their headings, in the order of definition.
func writeFlags(b *bytes.Buffer, cmd *cobra.Command) {
	const others = "Flags:"
	var headings []string
	sets := map[string]*pflag.FlagSet{}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		heading := others
		if g := f.Annotations[flagGroup]; len(g) > 0 {
			heading = g[0]
		}
		if sets[heading] == nil {
			sets[heading] = pflag.NewFlagSet(heading, pflag.ContinueOnError)
			sets[heading].SortFlags = false
			headings = append(headings, heading)
		}
		sets[heading].AddFlag(f)
	})
	if i := slices.Index(headings, others); i >= 0 { // the rest comes last
		headings = append(slices.Delete(headings, i, i+1), others)
	}
	for _, h := range headings {
		fmt.Fprintf(b, "\n%s\n%s", h, sets[h].FlagUsagesWrapped(helpWidth))
	}
}

// writeNotation says once how values are written that several flags take.
func writeNotation(b *bytes.Buffer, cmd *cobra.Command) {
	var lines []string
	times, lists := false, false
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		times = times || strings.HasPrefix(f.Value.Type(), "D")
		lists = lists || f.Value.Type() == "A,B" && f.Name != "strategy" && f.Name != "shares"
	})
	if times {
		lines = append(lines, fmt.Sprintf("D is a time: a number and its unit, ns, us, ms, s, m or h, up to %gh.", spec.MaxDuration.Hours()))
	}
	if lists {
		lines = append(lines, "A,B may hold ranges: 1..256 doubles (seeds go up by one), 1..9+2 goes up in steps.")
	}
	if cmd.LocalFlags().Lookup("set") != nil {
		lines = append(lines, "A parameter's time has a unit, as 1.5us has; a size may have k, m or g.")
	}
	if len(lines) > 0 {
		fmt.Fprintf(b, "\n%s\n", strings.Join(lines, "\n"))
	}
}

// helpCommand is `lab help COMMAND`.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "what a command does, with examples",
		Example: "  lab help run",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			target, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("no help on %q; legal: %s", strings.Join(args, " "), strings.Join(commandNames(root), ", "))
			}
			return target.Help()
		},
	}
}
