package profile

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// problem is what is wrong with a value and what is legal; "" if nothing is.
type problem string

const (
	maxCount = math.MaxUint32 // FFSB keeps counts in 32 bits
	maxSize  = math.MaxInt64  // file offsets are signed
	max32    = math.MaxUint32 // sizes that FFSB cuts to 32 bits when it uses them

	legalCount    = "; legal: a whole number from 0 to 4294967295, without a suffix"
	legalSize     = "; legal: digits with an optional K, KB, M, MB, G or GB (powers of 1024)"
	legalPlain    = "; legal: a whole number of bytes, without a suffix"
	legalBool     = "; legal: 0 or 1"
	legalFraction = "; legal: a number from 0 to 1"
	legalRange    = "; legal: two numbers of milliseconds, the lower one first"
)

// parseCount reads a whole number. FFSB reads the digits at the front and
// never looks at what follows.
func parseCount(val string) (int, problem) {
	digits := leadingDigits(val)
	switch {
	case val == "":
		return 0, "no value" + legalCount
	case val[0] == '-':
		return 0, "below zero, which FFSB reads as a huge number" + legalCount
	case digits == "":
		return 0, "not a number" + legalCount
	case digits != val:
		return 0, problem("text after the number, which FFSB drops to read "+digits) + legalCount
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > maxCount {
		return 0, "more than FFSB's 32 bits hold" + legalCount
	}
	return int(n), ""
}

// parseSize reads a number of bytes up to limit; suffixes are powers of 1024
// and known to generation C only.
func parseSize(gen Generation, val string, limit int64) (int64, problem) {
	legal := problem(legalSize)
	if gen != GenC {
		legal = legalPlain
	}
	digits := leadingDigits(val)
	suffix := val[len(digits):]
	switch {
	case val == "":
		return 0, "no value" + legal
	case val[0] == '-':
		return 0, "below zero, which FFSB reads as a huge number" + legal
	case digits == "":
		return 0, "not a size; FFSB reads 0" + legal
	case gen != GenC && suffix != "":
		return 0, problem("text after the number, which FFSB "+short(gen)+" drops to read "+digits) + legal
	case suffix != "" && suffix[0] == '.':
		return 0, problem("a fraction, which FFSB drops") + legal
	}
	unit, ok := sizeUnit(suffix)
	if !ok {
		return 0, problem("unknown suffix "+quote(suffix)+"; FFSB reads 0") + legal
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > limit/unit {
		if limit == max32 {
			return 0, "more than the 32 bits that FFSB keeps of it; legal: less than 4 GiB"
		}
		return 0, "more than a file can hold; legal: less than 8 EiB"
	}
	return n * unit, ""
}

func sizeUnit(suffix string) (unit int64, ok bool) {
	switch strings.ToUpper(suffix) {
	case "":
		return 1, true
	case "K", "KB":
		return 1 << 10, true
	case "M", "MB":
		return 1 << 20, true
	case "G", "GB":
		return 1 << 30, true
	}
	return 0, false
}

// isSuffixedSize reports whether val is a size as only generation C knows it.
func isSuffixedSize(val string) bool {
	digits := leadingDigits(val)
	if digits == "" || digits == val {
		return false
	}
	_, ok := sizeUnit(val[len(digits):])
	return ok
}

// isSpacedSize reports whether val is a size with a blank before its suffix,
// which generation C reads as everybody would.
func isSpacedSize(val string) bool {
	ws := words(val)
	return len(ws) == 2 && isDigits(ws[0]) && isSuffixedSize(ws[0]+ws[1])
}

// parseBool reads 0 or 1. FFSB 6.0 stops at anything else; 5.x takes every
// number but 0 for 1, which odd reports.
func parseBool(gen Generation, val string) (v, odd bool, p problem) {
	n, p := parseCount(val)
	switch {
	case p != "":
		return false, false, "not boolean" + legalBool
	case n > 1 && gen != GenB:
		return false, false, "not boolean" + legalBool
	}
	return n != 0, n > 1, ""
}

// parseFraction reads a share of the disk.
func parseFraction(val string) (float64, problem) {
	f, ok := parseDecimal(val)
	switch {
	case !ok:
		return 0, "not a number" + legalFraction
	case f < 0 || f > 1:
		return 0, "not a share of the disk" + legalFraction
	}
	return f + 0, "" // + 0 makes -0 a plain 0
}

// parseRange reads the two ends of a bin, which are milliseconds. FFSB keeps
// whole microseconds, cut off after a float multiplication; this rounds, so
// that 0.29 stays 290.
func parseRange(val string) (lo, hi time.Duration, p problem) {
	ws := words(val)
	if len(ws) != 2 {
		return 0, 0, problem("needs two numbers") + legalRange
	}
	var ends [2]time.Duration
	for i, w := range ws {
		ms, ok := parseDecimal(w)
		if !ok {
			return 0, 0, problem(quote(w)+" is not a number") + legalRange
		}
		if ms < 0 || ms*1000 > math.MaxUint32 {
			return 0, 0, problem(quote(w)+" does not fit FFSB's 32 bits of microseconds") + legalRange
		}
		ends[i] = time.Duration(math.Round(ms*1000)) * time.Microsecond
	}
	if ends[0] > ends[1] {
		return 0, 0, "an empty range, into which FFSB never counts" + legalRange
	}
	return ends[0], ends[1], ""
}

// parseDecimal reads plain decimal notation: no hexadecimal, infinity or NaN,
// which both C and Go would take.
func parseDecimal(s string) (float64, bool) {
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

func leadingDigits(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}

func quote(s string) string { return strconv.Quote(s) }

func short(gen Generation) string {
	switch gen {
	case GenA:
		return "4.x"
	case GenB:
		return "5.x"
	}
	return "6.0"
}
