package lab

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
)

// tableFlag is a flag that names a table: a setting among those of --set, so that
// of several the last one counts.
type tableFlag struct {
	to   *[]param.Setting
	name string
	text *string
}

func (f tableFlag) Type() string { return "NAME|FILE" }

func (f tableFlag) String() string {
	if f.text == nil {
		return ""
	}
	return *f.text
}

func (f tableFlag) Set(text string) error {
	if text == "" {
		return fmt.Errorf("is empty; legal: %s", f.Type())
	}
	*f.text = text
	*f.to = append(*f.to, param.Setting{Name: f.name, Value: text, At: param.Place{Flag: "--" + f.name}})
	return nil
}

// costsFlag and layoutFlag add --costs and --layout to a command that takes --set.
func costsFlag(fs *pflag.FlagSet, to *[]param.Setting) {
	fs.Var(tableFlag{to, experiment.CostsSetting, new(string)}, "costs", "cost table of the simulated machine (lab list costs), or a file of one, in place of the default")
}

func layoutFlag(fs *pflag.FlagSet, to *[]param.Setting) {
	fs.Var(tableFlag{to, experiment.LayoutSetting, new(string)}, "layout", "which fields share a cache line (lab list layouts), or a file of it, or pahole's output; as each strategy has them without it")
}

func completeTables(cmd *cobra.Command) {
	for flag, kind := range map[string]string{"costs": "costs", "layout": "layouts"} {
		if cmd.Flags().Lookup(flag) != nil {
			completeFile(cmd, flag, completeKind(kind))
		}
	}
}

// listLayouts is every layout by its name.
func listLayouts() ([]entry, error) {
	var out []entry
	for _, name := range spec.Layouts() {
		e := entry{Name: name, About: "the default: every field on the line that its strategy has it on"}
		l, err := spec.LoadLayout(name)
		if err != nil {
			return nil, err
		}
		if l != nil {
			e.About = l.Title
		}
		out = append(out, e)
	}
	return out, nil
}

// showLayout is a layout's file.
func showLayout(name string) ([]byte, error) { return experiment.LayoutText(name) }
