package lab

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hostlock/dispatch"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/workload"
)

// showable are the kinds of things that have a file to copy.
var showable = []struct {
	name string
	list string // the kind of list that names them
	text func(name string) ([]byte, error)
}{
	{"experiment", "experiments", showExperiment},
	{"driver", "drivers", showDriver},
	{"workload", "workloads", showWorkload},
	{"costs", "costs", showCosts},
	{"layout", "layouts", showLayout},
}

func showableNames() []string {
	var out []string
	for _, s := range showable {
		out = append(out, s.name)
	}
	return out
}

// showCommand is `lab show KIND NAME`.
func (a *app) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show experiment|driver|workload|costs|layout NAME",
		Short: "the file to copy and edit",
		Long: `Prints the file of an experiment, a workload, a cost table or a layout of cache
lines, or a driver's template and parameters as they stand in an experiment's
file: to be copied and edited.`,
		Example: `  lab show experiment chen-2010 > mine.toml
  lab run --experiment mine.toml
  lab show driver mptsas`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			switch len(args) {
			case 0:
				return showableNames(), cobra.ShellCompDirectiveNoFileComp
			case 1:
				for _, s := range showable {
					if s.name == args[0] {
						return names(s.list), cobra.ShellCompDirectiveNoFileComp
					}
				}
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("nothing named to show; legal: %s", legal(showableNames()))
			}
			for _, s := range showable {
				if s.name != args[0] {
					continue
				}
				if len(args) != 2 {
					return usagef("show %s takes one name; legal: %s", s.name, legal(names(s.list)))
				}
				text, err := s.text(args[1])
				if err != nil {
					return err
				}
				_, err = a.stdout.Write(text)
				return err
			}
			return usagef("nothing to show of kind %q; legal: %s", args[0], legal(showableNames()))
		},
	}
}

func showExperiment(name string) ([]byte, error) {
	s, err := spec.Load(name)
	if err != nil {
		return nil, err
	}
	return s.FileText(), nil
}

func showWorkload(name string) ([]byte, error) {
	w, err := workload.Load(name)
	if err != nil {
		return nil, usage(err)
	}
	return w.Text(), nil
}

// failureParams are the parameters of faults and error handling that no driver owns.
var failureParams = []string{
	"midlayer.error_handling", "midlayer.eh_scale", "midlayer.timeout", "midlayer.retries", "midlayer.allow_restart",
	"midlayer.eh_settle", "midlayer.eh_probe_timeout", "midlayer.track_queue_depth", "midlayer.queue_full_times", "midlayer.ramp_up_period",
	"device.queue_limit", "target.queue_limit", "port.queue_limit", "device.full_answer",
	"midlayer.historic_target_bug", "midlayer.sg_alloc_failures", "host.remove_at", "host.remove_device_at",
}

// showDriver prints a driver as part of an experiment's file: the host's
// template, which the parameters host.* replace, and the driver's own
// parameters.
func showDriver(name string) ([]byte, error) {
	d, err := dispatch.LookupDriver(name)
	if err != nil {
		return nil, usage(err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Driver %s: %s.\n", d.Name, strings.TrimSuffix(d.About, "."))
	fmt.Fprintf(&b, "# In an experiment's file: driver = %q at its head, and at its end what you\n# want to change of the following, each with where your value comes from. An\n# adapter of your own is the driver nearest to it, with your adapter's template.\n# The mid-layer's, the workload's and the machine's parameters are not here: lab\n# list parameters has all.\n", d.Name)
	fmt.Fprintf(&b, "\n# The host's template, as the driver has it.\n")
	if d.Configure != nil {
		fmt.Fprintf(&b, "# This driver works it out from its own parameters, below; what is set here\n# comes over that.\n")
	}
	writeTemplate(&b, d.Template)
	if len(d.Params) > 0 {
		fmt.Fprintf(&b, "\n# The driver's own parameters.\n")
	}
	for _, p := range d.Params {
		writeParam(&b, p)
	}
	fmt.Fprintf(&b, "\n# What happens when commands fail, and faults that are not the driver's.\n")
	for _, p := range dispatch.Params() {
		if slices.Contains(failureParams, p.Name) {
			writeParam(&b, p)
		}
	}
	return b.Bytes(), nil
}

func writeParam(b *bytes.Buffer, p param.Spec) {
	fmt.Fprintf(b, "\n# %s%s\n[[parameter]]\nname   = %q\nvalue  = %s\nsource = %q\n", p.About, legalRange(p), p.Name, tomlValue(p), p.Source)
}

func writeTemplate(b *bytes.Buffer, t dispatch.HostTemplate) {
	about := map[string]param.Spec{}
	for _, p := range dispatch.Params() {
		about[p.Name] = p
	}
	write := func(name, value string) {
		p := about["host."+name]
		fmt.Fprintf(b, "\n# %s%s\n[[parameter]]\nname   = %q\nvalue  = %s\nsource = \"the driver's template\"\n", p.About, legalRange(p), p.Name, value)
	}
	whole := func(name string, v int) { write(name, strconv.Itoa(max(v, 0))) }
	whole("can_queue", t.CanQueue)
	whole("cmd_per_lun", max(t.CmdPerLUN, t.QueueDepth, 1))
	whole("target_can_queue", t.TargetCanQueue)
	whole("sg_tablesize", t.SGTableSize)
	whole("max_sectors", t.MaxSectors)
	whole("max_segment_size", t.MaxSegmentSize)
	write("dma_boundary", strconv.Quote(t.BoundaryName()))
	write("needs_host_lock", strconv.Quote(strconv.FormatBool(t.NeedsHostLock)))
	write("use_clustering", strconv.Quote(strconv.FormatBool(t.UseClustering)))
}

// legalRange is a parameter's legal values, where it has any of its own.
func legalRange(p param.Spec) string {
	switch {
	case p.Kind == param.Choice:
		return "; legal: " + legal(p.Choices)
	case p.Min == 0 && p.Max == 0:
		return ""
	case p.Kind == param.Duration:
		return fmt.Sprintf("; legal: %gns to %gns", p.Min, p.Max)
	}
	return fmt.Sprintf("; legal: %s to %s", strconv.FormatFloat(p.Min, 'f', -1, 64), strconv.FormatFloat(p.Max, 'f', -1, 64))
}

// tomlValue is a parameter's default as TOML: numbers bare, everything else in
// quotes.
func tomlValue(p param.Spec) string {
	switch p.Kind {
	case param.Int, param.Float, param.Bool:
		return p.Default
	}
	return strconv.Quote(p.Default)
}
