package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hostlock/dispatch"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/machine/layout"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/results"
)

// Names of settings that are no parameter's: each names a table.
const (
	CostsSetting  = "costs"
	LayoutSetting = "layout"
)

// isTable reports whether a setting names a table, and sets no parameter.
func isTable(name string) bool { return name == CostsSetting || name == LayoutSetting }

// tables reads the tables that the request's settings name; of two of a kind the
// last one counts.
func (p *Plan) tables() error {
	for _, v := range p.req.Set {
		if !isTable(v.Name) {
			continue
		}
		if p.Live() {
			return spec.ErrorAt(v.At, v.Name, "%s on machine live, whose lines and costs are this computer's own; legal: --machine sim", tableText(v))
		}
		var err error
		if v.Name == CostsSetting {
			p.costs, err = spec.LoadCosts(v.Value)
		} else {
			p.layout, err = spec.LoadLayout(v.Value)
			p.layoutName = v
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func tableText(v param.Setting) string {
	if v.At.Flag == "--"+v.Name {
		return v.Value
	}
	return v.String()
}

// placed says what a layout named in vain: fields that nobody in this run has.
func (p *Plan) placed(sys *system) []string {
	if p.layout == nil || len(sys.Layout().Placed()) > 0 {
		return nil
	}
	return []string{fmt.Sprintf("layout %s changes nothing here: strategy %s has none of its fields", p.layoutName.Value, p.strategy.Name)}
}

// tableParameters says in a result which layout was in force, where one was named.
func (p *Plan) tableParameters() []results.Parameter {
	if p.layoutName.Name == "" {
		return nil
	}
	about := "every field where its owner has it"
	if p.layout != nil {
		about = p.layout.Title
	}
	return []results.Parameter{{Name: LayoutSetting, Value: p.layoutName.Value, Unit: "choice", Source: "which fields share a line: " + about}}
}

// OwnLayout is the lines that the strategies have of their own accord, each as an
// entry for the one strategy.
func OwnLayout() (*layout.Layout, error) {
	l := &layout.Layout{Name: spec.OwnLayout, Title: "the lines as each strategy has them of its own accord"}
	for _, s := range dispatch.Strategies() {
		m, err := sim.New(sim.Config{Cores: 1, Costs: sim.DefaultCosts()})
		if err != nil {
			return nil, err
		}
		params, err := dispatch.NewParams("null")
		if err != nil {
			return nil, err
		}
		cfg := dispatch.Config{Strategy: s.Name, Driver: "null", Params: params}
		for name, use := range map[string]bool{"midlayer.error_handling": s.Recovers, "host.target_can_queue": true} {
			if use { // or fields that only these need would have no line
				if err := params.Set(name, "1"); err != nil {
					return nil, err
				}
			}
		}
		sys, err := dispatch.New(m, cfg)
		if err != nil {
			return nil, err
		}
		// It ends at once, having no thread to run, and lets go of the error handler's.
		_, _ = m.Run(context.Background(), machine.Course{})
		for _, class := range sys.Layout().Classes() {
			l.Lines = append(l.Lines, layout.Line{Name: class, Strategy: s.Name, Fields: sys.Layout().FieldsOf(class)})
		}
	}
	return l, nil
}

// LayoutText is a layout's file to copy.
func LayoutText(name string) ([]byte, error) {
	if name == spec.OwnLayout {
		l, err := OwnLayout()
		if err != nil {
			return nil, err
		}
		remarks := []string{
			"Which fields share a cache line under each strategy, by default.",
			"Copy it, move a field to a [[line]] of its own, and run it: lab run --machine sim --layout FILE",
			"A field that no [[line]] names stays where the strategy has it, so an entry or two do.",
			"These fields have no line by default, since nobody writes what is there: " + strings.Join(unplaced(l), ", "),
		}
		return spec.LayoutFileText(l, remarks...), nil
	}
	text, ok := spec.LayoutText(name)
	if !ok {
		_, err := spec.LoadLayout(name) // which says what is legal
		if err == nil {
			err = spec.Usagef("%s is a file already; legal: %s", name, strings.Join(spec.Layouts(), ", "))
		}
		return nil, err
	}
	return text, nil
}

// unplaced are the fields that a layout names nowhere.
func unplaced(l *layout.Layout) []string {
	return slices.DeleteFunc(layout.Names(), func(name string) bool {
		return slices.ContainsFunc(l.Lines, func(line layout.Line) bool { return slices.Contains(line.Fields, name) })
	})
}
