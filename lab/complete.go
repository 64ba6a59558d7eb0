package lab

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hostlock/experiment"
	"hostlock/results"
)

// completeFrom completes an argument or a flag with names, and with files
// where those are legal, too.
func completeFrom(files bool, list func() []string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	if files {
		directive = cobra.ShellCompDirectiveDefault
	}
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return list(), directive
	}
}

// complete gives a flag the names that it takes.
func complete(cmd *cobra.Command, flag string, list func() []string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, completeFrom(false, list)); err != nil {
		panic("lab: " + err.Error()) // a flag registered twice: a fault of this package
	}
}

// completeFile is complete for a flag that takes files, too.
func completeFile(cmd *cobra.Command, flag string, list func() []string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, completeFrom(true, list)); err != nil {
		panic("lab: " + err.Error()) // a flag registered twice: a fault of this package
	}
}

func completeKind(kind string) func() []string { return func() []string { return names(kind) } }

func fixed(words ...string) func() []string { return func() []string { return words } }

func formatNames() []string {
	var out []string
	for _, f := range results.Formats() {
		out = append(out, f.Name)
	}
	return out
}

func reproductionFormatNames() []string {
	var out []string
	for _, f := range results.Formats() {
		if f.Reproductions != nil {
			out = append(out, f.Name)
		}
	}
	return out
}

// completeParameter completes the name of a parameter, up to its sign of
// equality; what stands behind that is anybody's guess, and no file.
func completeParameter(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, p := range experiment.Parameters() {
		out = append(out, p.Name+"=")
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeFlags gives the flags of a command that hold names their completion.
func completeFlags(cmd *cobra.Command) {
	completeTables(cmd)
	for flag, complete := range map[string]func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective){
		"strategy":   completeFrom(false, completeKind("strategies")),
		"driver":     completeFrom(false, completeKind("drivers")),
		"experiment": completeFrom(true, completeKind("experiments")),
		"workload":   completeFrom(true, completeKind("workloads")),
		"machine":    completeFrom(false, fixed("live", "sim")),
		"kind":       completeFrom(false, completeKind("locks")),
		"duration":   completeFrom(false, fixed("profile")),
		"set":        completeParameter,
	} {
		f := cmd.Flags().Lookup(flag)
		if f == nil {
			continue
		}
		if d, ok := f.Value.(duration); ok && d.profile == nil {
			continue
		}
		if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic("lab: " + err.Error()) // a flag registered twice: a fault of this package
		}
	}
}

// shells are those that completion is written for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionCommand is `lab completion SHELL`.
func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "the script that completes lab's words in a shell",
		Long: `Prints the script that lets a shell complete commands, flags, and the names of
strategies, experiments, drivers, workloads and formats. In bash it needs the
package bash-completion.`,
		Example: `  source <(lab completion bash)
  lab completion zsh > "${fpath[1]}/_lab"
  lab completion fish > ~/.config/fish/completions/lab.fish
  lab completion powershell | Out-String | Invoke-Expression`,
		ValidArgsFunction: completeFrom(false, fixed(shells...)),
		Args:              oneOf("shell", func() []string { return shells }),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if name := filepath.Base(os.Args[0]); !strings.HasSuffix(strings.TrimSuffix(name, ".exe"), ".test") {
				root.Use = strings.TrimSuffix(name, ".exe") // a strategy's own program is called as its author likes
			}
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			default:
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
		},
	}
}

// oneOf wants exactly one argument, out of a list.
func oneOf(what string, list func() []string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usagef("no %s named; legal: %s", what, legal(list()))
		case !slices.Contains(list(), args[0]):
			return usagef("unknown %s %q; legal: %s", what, args[0], legal(list()))
		case len(args) > 1:
			return usagef("unexpected %q behind %q; see '%s --help'", args[1], args[0], cmd.CommandPath())
		}
		return nil
	}
}
