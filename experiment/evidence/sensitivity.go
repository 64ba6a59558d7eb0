package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"hostlock/experiment/spec"
	"hostlock/machine/param"
)

// Steps are the changes of each parameter, as factors.
var Steps = []float64{0.75, 0.95, 1.05, 1.25}

// Change is what the published figures become when one parameter is changed.
type Change struct {
	Parameter string
	Value     string // as set
	Step      string // "-25 %", or the name of another choice
	Fitted    bool
	Figures   figures
}

// Base is the unchanged experiment, in the same form.
func (s *Setup) Base(ctx context.Context) (Change, error) {
	f, err := s.measure(ctx, s.Spec, s.Seed, nil)
	return Change{Parameter: "as it is", Figures: f}, err
}

// Sensitivity changes every number that the experiment depends on, one at a
// time, by every step, and every choice to each of its others. Values that a
// step does not change (zeros, whole numbers too small) are left out.
func (s *Setup) Sensitivity(ctx context.Context) ([]Change, error) {
	params, err := s.parameters()
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, v := range params {
		changes = append(changes, changesOf(v)...)
	}
	err = s.each(ctx, len(changes), func(ctx context.Context, i int) error {
		f, err := s.measure(ctx, s.Spec, s.Seed, []param.Setting{{Name: changes[i].Parameter, Value: changes[i].Value, Source: "tried"}})
		var usage *spec.UsageError
		if errors.As(err, &usage) {
			return nil // not legal on this machine, such as a lock that sleeps in an interrupt
		}
		if err != nil {
			return fmt.Errorf("%s=%s: %w", changes[i].Parameter, changes[i].Value, err)
		}
		changes[i].Figures = f
		return nil
	})
	return slices.DeleteFunc(changes, func(c Change) bool { return c.Figures == nil }), err
}

func changesOf(v param.Value) []Change {
	var out []Change
	add := func(step, value string) {
		if value != "" {
			out = append(out, Change{Parameter: v.Name, Value: value, Step: step, Fitted: v.Fitted})
		}
	}
	if v.Kind == param.Choice {
		for _, c := range v.Choices {
			if c != v.Text && c != "template" && v.Text != "template" {
				add(c, c)
			}
		}
		return out
	}
	for _, f := range Steps {
		add(fmt.Sprintf("%+.0f %%", 100*(f-1)), scaled(v, f))
	}
	return out
}

// scaled is a parameter's value times a factor as text, "" where that is no
// other value or no legal one.
func scaled(v param.Value, factor float64) string {
	n := v.Num * factor
	if v.Num <= 0 || (v.Max > 0 && n > v.Max) || n < v.Min {
		return ""
	}
	switch v.Kind {
	case param.Duration:
		return nanoseconds(n)
	case param.Float:
		return strconv.FormatFloat(n, 'g', 6, 64)
	case param.Int:
		if r := int(n + 0.5); r != int(v.Num) && r > 0 {
			return strconv.Itoa(r)
		}
	}
	return ""
}

func nanoseconds(n float64) string { return strconv.FormatFloat(n, 'f', 3, 64) + "ns" }
