package disktest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hostlock/workload/operand"
)

// options are a disktest command line.
type options struct {
	read, write bool
	lo, hi      int64 // bytes a transfer
	threads     int64
	seconds     time.Duration
	readShare   int // percent, where it reads and writes
	random      bool
	buffered    bool
	from, to    int64 // blocks of 512 bytes, both ends included; to is -1 for the device's end
	perf        bool  // -P with P: figures for programs
	bare        bool  // -Q: no prefix
	target      string
	ignored     []string
}

// With an argument, and without.
const (
	withArg    = "aABCDEfhIKLMNopPRsStT"
	withoutArg = "cdFmnqQrvwz"
)

func legalFlags() string {
	var out []string
	for _, c := range withoutArg {
		out = append(out, "-"+string(c))
	}
	for _, c := range withArg {
		out = append(out, "-"+string(c)+" ARG")
	}
	return strings.Join(out, " ")
}

// parse reads a command line in disktest's own spelling: single letters, with
// their argument behind or after a blank. Its error is one line without a
// place.
func parse(line string) (*options, error) {
	o := &options{lo: 512, hi: 512, threads: 4, readShare: -1, buffered: true, to: -1}
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, fmt.Errorf("empty; legal: disktest OPTIONS DEVICE")
	}
	words = words[1:]
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		if !strings.HasPrefix(w, "-") || w == "-" {
			if o.target != "" {
				return nil, fmt.Errorf("a second target, %q; legal: one device", w)
			}
			o.target = w
			continue
		}
		for w = w[1:]; w != ""; {
			r, n := utf8.DecodeRuneInString(w)
			c := w[0]
			w = w[n:]
			switch {
			case strings.IndexByte(withoutArg, c) >= 0:
				o.flag(c)
			case strings.IndexByte(withArg, c) >= 0:
				arg := w
				if w = ""; arg == "" && len(words) > 0 {
					arg, words = words[0], words[1:]
				}
				if arg == "" {
					return nil, fmt.Errorf("-%c without its argument", c)
				}
				if err := o.set(c, arg); err != nil {
					return nil, fmt.Errorf("-%c %s: %w", c, arg, err)
				}
			default:
				return nil, fmt.Errorf("unknown option %q; legal: %s", "-"+string(r), legalFlags())
			}
		}
	}
	return o, o.check()
}

func (o *options) flag(c byte) {
	switch c {
	case 'r':
		o.read = true
	case 'w':
		o.write = true
	case 'Q':
		o.bare = true
	default:
		o.ignored = append(o.ignored, "-"+string(rune(c)))
	}
}

// size reads a number with disktest's suffixes: small letters are powers of
// 1024, large ones of 1000.
func size(text string) (int64, error) {
	mult := 1.0
	digits := text
	if n := len(text); n > 0 {
		if i := strings.IndexByte("kmg", text[n-1]); i >= 0 {
			mult, digits = []float64{1 << 10, 1 << 20, 1 << 30}[i], text[:n-1]
		} else if i := strings.IndexByte("KMG", text[n-1]); i >= 0 {
			mult, digits = []float64{1e3, 1e6, 1e9}[i], text[:n-1]
		}
	}
	n, err := strconv.ParseUint(digits, 10, 40)
	if err != nil || float64(n)*mult > 1<<50 {
		return 0, fmt.Errorf("%q is no size; legal: a whole number with k m g (1024) or K M G (1000)", text)
	}
	return int64(float64(n) * mult), nil
}

// block reads one end of -B: up to 256 a number is blocks, above it bytes.
func block(text string) (int64, error) {
	n, err := size(text)
	if err != nil {
		return 0, err
	}
	if n <= 256 {
		n *= sector
	}
	if n < sector || n > 64<<20 || n%sector != 0 {
		return 0, fmt.Errorf("%d bytes are no multiple of a block; legal: 512 to 67108864 in steps of 512, or 1 to 256 blocks", n)
	}
	return n, nil
}

const sector = 512

func (o *options) set(c byte, arg string) (err error) {
	switch c {
	case 'B':
		lo, hi, ranged := strings.Cut(arg, ":")
		if o.lo, err = block(lo); err != nil {
			return err
		}
		if o.hi = o.lo; ranged {
			if o.hi, err = block(hi); err != nil {
				return err
			}
		}
		if o.hi < o.lo {
			return fmt.Errorf("the range ends before it begins")
		}
	case 'K':
		if o.threads, err = whole(arg, 1, 65536); err != nil {
			return err
		}
	case 'T':
		return o.time(arg)
	case 'D':
		r, w, ok := strings.Cut(arg, ":")
		rp, err := strconv.Atoi(strings.TrimSuffix(r, "%"))
		wp, err2 := strconv.Atoi(strings.TrimSuffix(w, "%"))
		if !ok || err != nil || err2 != nil || rp < 0 || wp < 0 || rp+wp != 100 {
			return fmt.Errorf("legal: shares of reads and writes that add up to 100, such as 70:30")
		}
		o.readShare = rp
	case 'p':
		switch strings.TrimRight(arg, "ud") {
		case "l", "L":
			o.random = false
		case "r", "R":
			o.random = true
		default:
			return fmt.Errorf("legal: l, L, r, R")
		}
	case 'I':
		return o.ioType(arg)
	case 'S', 's':
		from, to, ok := strings.Cut(arg, ":")
		if o.from, err = size(from); err != nil {
			return err
		}
		if ok {
			if o.to, err = size(to); err == nil && o.to < o.from {
				err = fmt.Errorf("the range ends before it begins")
			}
		}
		return err
	case 'N':
		n, err := size(arg)
		if err != nil || n < 1 {
			return fmt.Errorf("legal: sectors, 1 or more")
		}
		o.to = n - 1
	case 'P':
		o.perf = strings.ContainsAny(arg, "PA")
	default:
		o.ignored = append(o.ignored, "-"+string(rune(c)))
	}
	return nil
}

// time reads -T: seconds, or with m, h or d; m is minutes.
func (o *options) time(arg string) error {
	unit := time.Second
	for suffix, u := range map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour} {
		if digits, ok := strings.CutSuffix(arg, suffix); ok {
			arg, unit = digits, u
			break
		}
	}
	n, err := whole(arg, 1, 1<<20)
	o.seconds = time.Duration(n) * unit
	return err
}

// ioType reads -I: r raw, b block, f file, and d for direct among the flags.
func (o *options) ioType(arg string) error {
	kind, rest := arg[0], arg[1:]
	if strings.IndexByte("rbf", kind) < 0 || strings.Trim(rest, "+,ds0123456789") != "" {
		return fmt.Errorf("legal: r, b or f, with d (direct) and s (sync) behind it")
	}
	o.buffered = kind != 'r' && !strings.Contains(rest, "d")
	return nil
}

func whole(text string, lo, hi int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < lo || n > hi {
		return 0, fmt.Errorf("legal: a whole number, %d to %d", lo, hi)
	}
	return n, nil
}

func (o *options) check() error {
	if _, ok := operand.Device(o.target); !ok {
		return fmt.Errorf("no device to test, but %q; legal: one such as /dev/sda or /dev/sg0", o.target)
	}
	if !o.read && !o.write {
		if o.readShare < 0 {
			o.readShare = 100 // the program reads unless it is told to write
		}
		o.read, o.write = o.readShare > 0, o.readShare < 100
	}
	switch {
	case o.read && !o.write:
		o.readShare = 100
	case o.write && !o.read:
		o.readShare = 0
	case o.readShare < 0:
		o.readShare = 50
	}
	return nil
}
