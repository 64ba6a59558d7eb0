package sgpdd

import (
	"fmt"
	"slices"
	"strings"

	"hostlock/workload/operand"
)

// options are an sgp_dd command line.
type options struct {
	in, out  string
	bs, bpt  int64
	count    int64 // blocks; -1: not given
	skip     int64 // blocks of the input
	seek     int64 // blocks of the output
	threads  int64
	cdbsz    int64
	time     bool
	sync     bool
	ignored  []string // operands that change nothing here
	hasInput bool
}

var keys = []string{"if", "of", "bs", "ibs", "obs", "bpt", "count", "skip", "seek", "thr", "cdbsz",
	"dio", "coe", "sync", "time", "deb", "verbose", "iflag", "oflag"}

var flags = []string{"append", "coe", "dio", "direct", "dpo", "dsync", "excl", "fua", "mmap", "null"}

var switches = []string{"--chkaddr", "--dry-run", "--nocopy", "--progress"}

// parse reads a command line in sgp_dd's own spelling. Its error is one line
// without a place.
func parse(line string) (*options, error) {
	o := &options{bs: 512, bpt: -1, count: -1, threads: 4, cdbsz: 10}
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, fmt.Errorf("empty; legal: sgp_dd if=FILE of=FILE, and more operands")
	}
	for _, w := range words[1:] {
		if slices.Contains(switches, w) {
			o.ignored = append(o.ignored, w)
			continue
		}
		key, value, ok := strings.Cut(w, "=")
		if !ok || !slices.Contains(keys, key) {
			return nil, fmt.Errorf("unknown operand %q; legal: %s, each with =VALUE, %s", w, strings.Join(keys, ", "), strings.Join(switches, ", "))
		}
		if err := o.set(key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", w, err)
		}
	}
	return o, o.check()
}

func (o *options) set(key, value string) error {
	number := func(to *int64, lo, hi int64) error {
		n, err := operand.Number(value)
		if err != nil {
			return err
		}
		if n < lo || n > hi {
			return fmt.Errorf("out of range; legal: %d to %d", lo, hi)
		}
		*to = n
		return nil
	}
	boolean := func(to *bool) error {
		if value != "0" && value != "1" {
			return fmt.Errorf("legal: 0, 1")
		}
		if to != nil {
			*to = value == "1"
		}
		return nil
	}
	const many = 1 << 42 // blocks: two petabytes of 512 bytes
	switch key {
	case "if":
		o.in, o.hasInput = value, true
	case "of":
		o.out = value
	case "bs", "ibs", "obs":
		was := o.bs
		if err := number(&o.bs, 512, 64<<10); err != nil {
			return err
		}
		if o.bs&(o.bs-1) != 0 {
			return fmt.Errorf("no block size of a device; legal: a power of 2, 512 to 65536")
		}
		if key != "bs" && o.bs != was && was != 512 {
			return fmt.Errorf("differs from bs=%d; legal: the same", was)
		}
	case "bpt":
		return number(&o.bpt, 1, 1<<20)
	case "count":
		return number(&o.count, 0, many)
	case "skip":
		return number(&o.skip, 0, many)
	case "seek":
		return number(&o.seek, 0, many)
	case "thr":
		return number(&o.threads, 1, 1024)
	case "cdbsz":
		if !slices.Contains([]string{"6", "10", "12", "16"}, value) {
			return fmt.Errorf("legal: 6, 10, 12, 16")
		}
		return number(&o.cdbsz, 6, 16)
	case "time":
		return boolean(&o.time)
	case "sync":
		return boolean(&o.sync)
	case "dio", "coe":
		o.ignored = append(o.ignored, key)
		return boolean(nil)
	case "deb", "verbose":
		o.ignored = append(o.ignored, key)
		var level int64
		return number(&level, 0, 99)
	case "iflag", "oflag":
		for f := range strings.SplitSeq(value, ",") {
			if !slices.Contains(flags, f) {
				return fmt.Errorf("unknown flag %q; legal: %s", f, strings.Join(flags, ", "))
			}
		}
		o.ignored = append(o.ignored, key)
	}
	return nil
}

// check fills in defaults and refuses what sgp_dd refuses.
func (o *options) check() error {
	if o.bpt < 0 {
		if o.bpt = 128; o.bs >= 2048 {
			o.bpt = 32
		}
	}
	if n := o.bs * o.bpt; n > 1<<30 {
		return fmt.Errorf("bs=%d times bpt=%d is %d bytes a transfer; legal: up to 1 GiB", o.bs, o.bpt, n)
	}
	if !o.hasInput {
		return fmt.Errorf("no if=FILE; legal: a device such as /dev/sg0, or /dev/zero")
	}
	_, in := operand.Device(o.in)
	_, out := operand.Device(o.out)
	switch {
	case !in && o.in != "/dev/zero" && o.in != "/dev/null" && o.in != "/dev/urandom":
		return fmt.Errorf("if=%s: neither a device nor an endless file; legal: /dev/sg0, /dev/sda, ..., /dev/zero", o.in)
	case !out && o.out != "." && o.out != "/dev/null" && o.out != "":
		return fmt.Errorf("of=%s: neither a device nor a sink; legal: /dev/sg0, /dev/sda, ..., /dev/null or a dot", o.out)
	case !in && !out:
		return fmt.Errorf("if=%s of=%s: no device at either end; legal: one or two devices such as /dev/sg0", o.in, o.out)
	}
	return nil
}
