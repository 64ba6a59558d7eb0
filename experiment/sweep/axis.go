package sweep

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxValues bounds what one range may stand for.
const maxValues = 10000

// Expand takes a list such as "1,2,5..9+2" apart. A..B+S stands for A, A+S and
// so on up to B; A..B doubles from A, or goes up by one where byOne says so,
// and always ends with B. Both ends carry one unit, "0.5us..12us", or two of
// a kind, "0.5us..2ms" or "64KiB..1MiB". An error is
// one line that says what is legal.
func Expand(text string, byOne bool) ([]string, error) {
	var out []string
	for _, item := range strings.Split(text, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			return nil, fmt.Errorf("a value is missing in %q; legal: values with commas between them, A..B or A..B+STEP", text)
		}
		values := []string{item}
		if from, to, ok := strings.Cut(item, ".."); ok {
			var err error
			if values, err = expandRange(from, to, byOne); err != nil {
				return nil, fmt.Errorf("range %q: %w; legal: A..B or A..B+STEP, numbers in one unit or two of a kind such as 0.5us..2ms or 64KiB..1MiB, A below B", item, err)
			}
		}
		for _, v := range values {
			if slices.Contains(out, v) {
				return nil, fmt.Errorf("%s is there twice in %q; legal: each value once", v, text)
			}
			out = append(out, v)
		}
	}
	return out, nil
}

func expandRange(from, to string, byOne bool) ([]string, error) {
	to, step, stepped := strings.Cut(to, "+")
	a, unitA, okA := number(from)
	b, unitB, okB := number(to)
	switch {
	case !okA || !okB:
		return nil, fmt.Errorf("not two numbers")
	case unitA != "" && unitA != unitB:
		return mixed(a, unitA, b, unitB, stepped, byOne)
	case a >= b:
		return nil, fmt.Errorf("ends before it begins")
	}
	next := func(v float64) float64 { return 2 * v }
	rounding := b * 1e-12
	if stepped || byOne {
		s := 1.0
		if stepped {
			var unit string
			var ok bool
			if s, unit, ok = number(step); !ok || s <= 0 || unit != "" && unit != unitB {
				return nil, fmt.Errorf("step %q is no number above 0 in the same unit", step)
			}
		}
		if (b-a)/s > maxValues {
			return nil, fmt.Errorf("more than %d values", maxValues)
		}
		// Counted from the start, so that steps such as 0.1 do not add up
		// their rounding.
		n := 0.0
		rounding = s * 1e-9
		next = func(float64) float64 { n++; return a + n*s }
	} else if a <= 0 {
		return nil, fmt.Errorf("nothing doubles from %s", from)
	}
	var out []string
	for v := a; v < b-rounding; v = next(v) {
		out = append(out, written(v)+unitB)
	}
	return append(out, written(b)+unitB), nil
}

// families are units of one kind, with what each is in the smallest.
var families = []map[string]float64{
	{"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3600e9},
	{
		"b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30,
		"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	},
}

// mixed doubles from a number in one unit to one in another of its kind:
// "0.5us..2ms". Each value is in the largest of both units that leaves no
// fraction of 1 behind, and the ends are as they were written.
func mixed(a float64, unitA string, b float64, unitB string, stepped, byOne bool) ([]string, error) {
	for _, units := range families {
		ua, okA := units[strings.ToLower(unitA)]
		ub, okB := units[strings.ToLower(unitB)]
		if !okA || !okB {
			continue
		}
		last := b * ub
		switch {
		case stepped || byOne:
			return nil, fmt.Errorf("steps between two units, %s and %s", unitA, unitB)
		case a*ua >= last:
			return nil, fmt.Errorf("ends before it begins")
		case a <= 0:
			return nil, fmt.Errorf("nothing doubles from %s%s", written(a), unitA)
		}
		var out []string
		for v := a; v*ua < last*(1-1e-12); v *= 2 {
			text := written(v) + unitA
			if large := v * ua / ub; ub > ua && large >= 1 {
				text = written(large) + unitB
			}
			out = append(out, text)
		}
		return append(out, written(b)+unitB), nil
	}
	return nil, fmt.Errorf("two units, %s and %s", unitA, cmp.Or(unitB, "none"))
}

var numberRE = regexp.MustCompile(`^(-?[0-9]*\.?[0-9]*(?:e-?[0-9]+)?)( *[A-Za-zµ%]*)$`)

// number takes "0.5us" apart into 0.5 and "us".
func number(text string) (v float64, unit string, ok bool) {
	m := numberRE.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, "", false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v, strings.TrimSpace(m[2]), err == nil
}

// written is a number as a command line has it: whole ones with all their
// digits, others without what rounding adds.
func written(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 12, 64)
}
