package lab

import (
	"strings"

	"github.com/spf13/cobra"
)

// Groups of commands in the help: what most people need, and the rest.
const (
	groupCore = "core"
	groupMore = "more"
)

// Commands are listed as root adds them: what one needs first comes first.
func init() { cobra.EnableCommandSorting = false }

// root is the tree of commands. A new command is one more file and one more
// line here.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "lab",
		Short: "What does this lock cost, and what would another design cost, on N cores?",
		Long: `lab is a bench for one question: what does this lock cost, and what would
another design cost, on a machine with N cores? It reimplements the dispatch
path of the Linux SCSI mid-layer, whose host lock is one of the best documented
cases, makes its synchronisation a plug-in, and answers with profiles that
go tool pprof opens.`,
		Example: `  lab reproduce host-lock                the published table beside a simulated one
  lab run --strategy ring --machine sim  another design under the same load
  lab list strategies                    what there is to compare`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; legal: %s", args[0], strings.Join(commandNames(cmd), ", "))
			}
			return nil
		},
		RunE:              func(cmd *cobra.Command, args []string) error { return cmd.Help() },
		PersistentPreRunE: checkPlaces,
		// Errors are one line each, printed in one place.
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versionLine(),
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddGroup(
		&cobra.Group{ID: groupCore, Title: "To begin with:"},
		&cobra.Group{ID: groupMore, Title: "More:"},
	)
	core := []*cobra.Command{
		a.profileCommand(),
		a.runCommand(),
		a.reproduceCommand(),
		a.sweepCommand(),
		a.recordCommand(),
	}
	more := []*cobra.Command{
		a.mergeCommand(),
		a.whatifCommand(),
		a.verifyCommand(),
		a.soakCommand(),
		a.evidenceCommand(),
		a.simVsLiveCommand(),
		a.calibrateCommand(),
		a.listCommand(),
		a.showCommand(),
		a.versionCommand(),
		a.completionCommand(),
	}
	for _, c := range core {
		c.GroupID = groupCore
		root.AddCommand(c)
	}
	for _, c := range more {
		c.GroupID = groupMore
		root.AddCommand(c)
	}
	help := a.helpCommand()
	help.GroupID = groupMore
	root.SetHelpCommand(help)
	root.CompletionOptions.DisableDefaultCmd = true // ours has help of its own
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetHelpFunc(a.writeHelp)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s; see '%s --help'", plainFlagError(err), cmd.CommandPath())
	})
	return root
}

// commandNames lists the commands below cmd that a user may type.
func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	return names
}

// plainFlagError takes what pflag says about itself out of its messages.
func plainFlagError(err error) string {
	msg := err.Error()
	if bad, ok := strings.CutPrefix(msg, "invalid argument "); ok {
		// invalid argument "x" for "--cores" flag: why
		if value, rest, ok := strings.Cut(bad, " for \""); ok {
			if flag, why, ok := strings.Cut(rest, "\" flag: "); ok {
				if i := strings.LastIndex(flag, "--"); i >= 0 {
					flag = flag[i:] // "-s, --seed" is one flag
				}
				return flag + " " + value + ": " + why
			}
		}
	}
	return msg
}

// noArgs refuses what stands behind a command that takes nothing.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected %q; %s takes flags only, see '%s --help'", args[0], cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}
