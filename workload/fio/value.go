package fio

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxBytes bounds every size and count that is read: 2^56 bytes are 64 PiB, and
// no sum of two overflows.
const maxBytes = 1 << 56

// number is a whole number with a rest behind it, decimal or hexadecimal. Fio
// takes a fraction and drops it with its unit, so that 1.5m is one byte: such a
// number is refused.
func number(text string) (value float64, suffix string, err error) {
	bad := fmt.Errorf("%q is no number; legal: a whole number or 0x and hexadecimal digits, and a suffix such as k, m, g, ki", text)
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		end := 0
		for end < len(hex) && strings.IndexByte("0123456789abcdef", hex[end]) >= 0 {
			end++
		}
		n, err := strconv.ParseUint(hex[:end], 16, 56)
		if err != nil {
			return 0, "", bad
		}
		return float64(n), hex[end:], nil
	}
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end > 32 {
		return 0, "", bad
	}
	if value, err = strconv.ParseFloat(text[:end], 64); err != nil || strings.HasPrefix(text[end:], ".") {
		return 0, "", bad
	}
	return value, strings.ToLower(strings.TrimSpace(text[end:])), nil
}

// size reads bytes, or a plain count, in fio's units: with kb_base=1024, its
// default, k is 1024 and ki is 1000; with kb_base=1000 the other way round.
func size(text string, kbBase int) (int64, error) {
	v, suffix, err := number(text)
	if err != nil {
		return 0, err
	}
	unit := strings.TrimSuffix(suffix, "b")
	base := float64(kbBase)
	if len(unit) > 1 && strings.HasSuffix(unit, "i") {
		unit, base = unit[:len(unit)-1], float64(2024-kbBase)
	}
	power := strings.Index("kmgtp", unit) + 1
	switch {
	case unit == "":
		power = 0
	case len(unit) != 1 || power == 0:
		return 0, fmt.Errorf("%q has an unknown unit %q; legal: b, k, m, g, t, p, and ki, mi, gi, ti, pi, with a b behind or without", text, suffix)
	}
	v *= math.Pow(base, float64(power))
	if v > maxBytes {
		return 0, fmt.Errorf("%q is too large; legal: up to 64p", text)
	}
	return int64(v), nil
}

// amount is a size or a share of what there is.
type amount struct {
	bytes   int64
	percent float64 // where bytes is not given
	given   bool
}

func sizeOrPercent(text string, kbBase int) (amount, error) {
	if digits, ok := strings.CutSuffix(text, "%"); ok {
		v, err := strconv.ParseFloat(digits, 64)
		if err != nil || !(v >= 0) || v > 100 {
			return amount{}, fmt.Errorf("%q is no share; legal: 0%% to 100%%", text)
		}
		return amount{percent: v, given: true}, nil
	}
	n, err := size(text, kbBase)
	return amount{bytes: n, given: true}, err
}

// of is the amount in bytes where there are so many.
func (a amount) of(whole int64) int64 {
	if a.percent > 0 {
		return int64(a.percent / 100 * float64(whole))
	}
	return a.bytes
}

// duration reads a time; unit is that of a number without one.
func duration(text string, unit time.Duration) (time.Duration, error) {
	v, suffix, err := number(text)
	if err != nil {
		return 0, err
	}
	switch suffix {
	case "":
	case "us", "usec":
		unit = time.Microsecond
	case "ms", "msec":
		unit = time.Millisecond
	case "s", "sec":
		unit = time.Second
	case "m":
		unit = time.Minute
	case "h":
		unit = time.Hour
	case "d":
		unit = 24 * time.Hour
	default:
		return 0, fmt.Errorf("%q has an unknown unit %q; legal: us, ms, s, m, h, d", text, suffix)
	}
	v *= float64(unit)
	if v > float64(1000*24*time.Hour) {
		return 0, fmt.Errorf("%q is too long; legal: up to 1000d", text)
	}
	return time.Duration(v), nil
}

// count reads a whole number between two bounds; suffixes as of a size.
func count(text string, lo, hi int64) (int64, error) {
	n, err := size(text, 1024)
	if err != nil {
		return 0, err
	}
	if n < lo || n > hi {
		return 0, fmt.Errorf("%s is out of range; legal: %d to %d", text, lo, hi)
	}
	return n, nil
}

// boolean reads 0 or 1; an empty text is yes, where an option may stand alone.
func boolean(text string) (bool, error) {
	switch text {
	case "", "1":
		return true, nil
	case "0":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither; legal: 0, 1", text)
}

// directions splits "a,b,c" into reads and writes (and trims, which are
// dropped): one value is everybody's, and an empty one leaves its direction as it
// was.
func directions(text string) (out [2]string, err error) {
	parts := strings.Split(text, ",")
	if len(parts) > 3 {
		return out, fmt.Errorf("%q has %d values; legal: up to three, of reads, writes and trims", text, len(parts))
	}
	for i := range out {
		out[i] = strings.TrimSpace(parts[min(i, len(parts)-1)])
	}
	return out, nil
}

// span reads "lo-hi", "lo:hi" or one number for both; the wrong way round is
// turned.
func span(text string, kbBase int) (lo, hi int64, err error) {
	a, b, ranged := strings.Cut(text, "-")
	if !ranged {
		a, b, ranged = strings.Cut(text, ":")
	}
	if lo, err = size(strings.TrimSpace(a), kbBase); err != nil {
		return 0, 0, err
	}
	if hi = lo; ranged {
		if hi, err = size(strings.TrimSpace(b), kbBase); err != nil {
			return 0, 0, err
		}
	}
	return min(lo, hi), max(lo, hi), nil
}
