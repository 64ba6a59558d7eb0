package lab

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/closest"
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
		Example: `  lab reproduce chen-2010                the published table beside a simulated one
  lab run --strategy ring --machine sim  another design under the same load
  lab list strategies                    what there is to compare`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
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
		a.compareCommand(),
		a.fitCommand(),
		a.sweepCommand(),
		a.lockCommand(),
		a.recordCommand(),
		a.predictCommand(),
	}
	more := []*cobra.Command{
		a.mergeCommand(),
		a.verifyCommand(),
		a.soakCommand(),
		a.vetCommand(),
		a.evidenceCommand(),
		a.simVsLiveCommand(),
		a.calibrateCommand(),
		a.newCommand(),
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
		if !cmd.HasParent() && len(a.args) > 0 && !strings.HasPrefix(a.args[0], "-") {
			return unknownCommand(cmd, a.args[0]) // whose flags are none of root's
		}
		return usagef("%s; see '%s --help'%s", plainFlagError(err), cmd.CommandPath(), meantFlag(cmd, err))
	})
	return root
}

// unknownCommand is the error about a command that there is none of.
func unknownCommand(root *cobra.Command, name string) error {
	if name == "whatif" {
		return usagef("lab whatif is lab compare now; legal: lab compare host-lock unlocked-qcmds, with --set as before")
	}
	names := commandNames(root)
	return usagef("unknown command %q; legal: %s%s", name, strings.Join(names, ", "), closest.Hint(name, names))
}

// meantFlag names the flag that was mistyped; "" where none is near.
func meantFlag(cmd *cobra.Command, err error) string {
	var none *pflag.NotExistError
	if !errors.As(err, &none) {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return closest.Hint("--"+none.GetSpecifiedName(), names)
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

// plainFlagError words what pflag says of a value without its own terms.
func plainFlagError(err error) string {
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) {
		switch bad.GetFlag().Value.Type() {
		case "bool":
			return fmt.Sprintf("--%s %q; legal: true or false", bad.GetFlag().Name, bad.GetValue())
		case "int":
			return fmt.Sprintf("--%s %q; legal: a whole number", bad.GetFlag().Name, bad.GetValue())
		}
		return fmt.Sprintf("--%s %q: %v", bad.GetFlag().Name, bad.GetValue(), errors.Unwrap(bad))
	}
	return err.Error()
}

// noArgs refuses what stands behind a command that takes nothing.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected %q; %s takes flags only, see '%s --help'", args[0], cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}
