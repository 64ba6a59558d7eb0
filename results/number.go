package results

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// number prints a figure for people: two decimals, none from 1000 up.
func number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 999.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 99.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
}

// signed is number with its sign always there.
func signed(v float64) string {
	if s := number(v); strings.HasPrefix(s, "-") {
		return s
	} else {
		return "+" + s
	}
}

// exact prints a number as it was written: published figures and bands.
func exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// nanos prints nanoseconds in the unit that suits them.
func nanos(ns int64) string {
	d := time.Duration(ns)
	switch {
	case d < 10*time.Microsecond:
	case d < 10*time.Millisecond:
		d = d.Round(10 * time.Nanosecond)
	default:
		d = d.Round(10 * time.Microsecond)
	}
	return d.String()
}

// seconds prints seconds as people write them: 2s, 500ms.
func seconds(s float64) string {
	d := time.Duration(math.Round(s * 1e9))
	if d >= time.Millisecond {
		d = d.Round(time.Microsecond) // a window that begins at 1 ns
	}
	return d.String()
}

// round keeps a number of decimals. Infinities and NaN, which JSON cannot
// say, are faults of the program and are left for the encoder to refuse.
func round(v float64, decimals int) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', decimals, 64), 64)
	if err != nil || r == 0 {
		return 0 // and never minus zero
	}
	return r
}

// significant keeps a number of significant digits.
func significant(v float64, digits int) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		return v
	}
	return r
}
