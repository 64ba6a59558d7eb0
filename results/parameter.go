package results

import (
	"fmt"
	"strconv"
	"time"

	"hostlock/machine/param"
)

// Parameter is one number that the run depended on.
type Parameter struct {
	Name   string `json:"name"`
	Value  any    `json:"value"` // a number in Unit, a boolean, or a choice's name
	Unit   string `json:"unit"`
	Source string `json:"source"`
	Fitted bool   `json:"fitted"` // neither a cited number nor a formula of cited numbers
	// Origin is where the value was given: "mine.toml:12", "--set"; "" where it is
	// the default. It may be a path of the user's, and so is no part of the JSON.
	Origin string `json:"-"`
}

// ParametersOf lists every parameter of a set, in the order of its
// declaration.
func ParametersOf(set *param.Set) []Parameter {
	values := set.Values()
	out := make([]Parameter, 0, len(values))
	for _, v := range values {
		p := Parameter{Name: v.Name, Value: v.Num, Unit: v.UnitName(), Source: v.SourceText(), Fitted: v.Fitted, Origin: v.At.String()}
		switch v.Kind {
		case param.Bool:
			p.Value = v.Num != 0
		case param.Choice:
			p.Value = v.Text
		case param.Int, param.Bytes:
			p.Value = int64(v.Num)
		}
		out = append(out, p)
	}
	return out
}

// Text is the value as a person writes it: "6.4µs", "128", "lognormal".
func (p Parameter) Text() string {
	switch v := p.Value.(type) {
	case float64:
		if p.Unit == "ns" {
			return time.Duration(v).String()
		}
		return strconv.FormatFloat(v, 'g', 6, 64) + unitSuffix(p.Unit)
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int64:
		if p.Unit == "bytes" {
			return size(v)
		}
	}
	return fmt.Sprint(p.Value) + unitSuffix(p.Unit)
}

// size is a number of bytes in the largest binary unit that leaves no rest.
func size(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for n != 0 && n%1024 == 0 && i < len(units)-1 {
		n /= 1024
		i++
	}
	return fmt.Sprintf("%d %s", n, units[i])
}

func unitSuffix(unit string) string {
	if unit == "" || unit == "bool" || unit == "choice" {
		return ""
	}
	return " " + unit
}

// Fitted lists the names of the fitted parameters.
func Fitted(params []Parameter) []string {
	names := []string{}
	for _, p := range params {
		if p.Fitted {
			names = append(names, p.Name)
		}
	}
	return names
}
