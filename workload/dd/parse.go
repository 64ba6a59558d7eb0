package dd

import (
	"fmt"
	"slices"
	"strings"

	"hostlock/workload/operand"
)

// options are a dd command line.
type options struct {
	in, out    string
	ibs, obs   int64
	count      int64 // input blocks; -1: to the end
	skip, seek int64 // in blocks of their own side
	direct     bool
	fsync      bool // conv=fsync or fdatasync: at the end of each pass
	dsync      bool // oflag=dsync or sync: after each block
	quiet      bool // status=none
	noxfer     bool
	ignored    []string

	countBytes, skipBytes, seekBytes bool // count, skip and seek are bytes
}

var (
	keys = []string{"if", "of", "bs", "ibs", "obs", "cbs", "count", "skip", "iseek", "seek", "oseek", "conv", "iflag", "oflag", "status"}

	convs = []string{"ascii", "ebcdic", "ibm", "block", "unblock", "lcase", "ucase", "sparse", "swab", "sync",
		"excl", "nocreat", "notrunc", "noerror", "fdatasync", "fsync"}
	flags = []string{"append", "direct", "directory", "dsync", "sync", "fullblock", "nonblock", "noatime", "nocache",
		"noctty", "nofollow", "count_bytes", "skip_bytes", "seek_bytes"}
	statuses = []string{"none", "noxfer", "progress"}
)

// maxBlock bounds a block, in bytes.
const maxBlock = 1 << 30

// parse reads a command line in dd's own spelling. Its error is one line
// without a place.
func parse(line string) (*options, error) {
	o := &options{ibs: 512, obs: 512, count: -1}
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, fmt.Errorf("empty; legal: dd if=FILE of=FILE, and more operands")
	}
	for _, w := range words[1:] {
		key, value, ok := strings.Cut(w, "=")
		if !ok || !slices.Contains(keys, key) {
			return nil, fmt.Errorf("unknown operand %q; legal: %s, each with =VALUE", w, strings.Join(keys, ", "))
		}
		if err := o.set(key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", w, err)
		}
	}
	return o, o.check()
}

func (o *options) set(key, value string) error {
	number := func(lo, hi int64, to ...*int64) error {
		n, err := operand.Number(value)
		if err != nil {
			return err
		}
		if n < lo || n > hi {
			return fmt.Errorf("out of range; legal: %d to %d", lo, hi)
		}
		for _, p := range to {
			*p = n
		}
		return nil
	}
	const many = 1 << 42
	switch key {
	case "if":
		o.in = value
	case "of":
		o.out = value
	case "bs":
		return number(1, maxBlock, &o.ibs, &o.obs)
	case "ibs":
		return number(1, maxBlock, &o.ibs)
	case "obs":
		return number(1, maxBlock, &o.obs)
	case "count":
		value, o.countBytes = inBytes(value)
		return number(0, many, &o.count)
	case "skip", "iseek":
		value, o.skipBytes = inBytes(value)
		return number(0, many, &o.skip)
	case "seek", "oseek":
		value, o.seekBytes = inBytes(value)
		return number(0, many, &o.seek)
	case "cbs":
		o.ignored = append(o.ignored, key)
		return number(1, maxBlock)
	case "conv":
		return o.list(value, convs, key)
	case "iflag", "oflag":
		return o.list(value, flags, key)
	case "status":
		if !slices.Contains(statuses, value) {
			return fmt.Errorf("legal: %s", strings.Join(statuses, ", "))
		}
		o.quiet, o.noxfer = value == "none", value == "noxfer"
	}
	return nil
}

// inBytes reports whether a count that is otherwise one of blocks is one of bytes:
// its text ends in a B, as GNU dd has it since 9.1. A B behind a digit is nothing
// else; behind a letter it is a part of its unit.
func inBytes(text string) (string, bool) {
	digits, ends := strings.CutSuffix(text, "B")
	if ends && digits != "" && digits[len(digits)-1] >= '0' && digits[len(digits)-1] <= '9' {
		return digits, true
	}
	return text, ends
}

// list reads a list of words, most of which change nothing here.
func (o *options) list(value string, legal []string, key string) error {
	for w := range strings.SplitSeq(value, ",") {
		if !slices.Contains(legal, w) {
			return fmt.Errorf("unknown %q; legal: %s", w, strings.Join(legal, ", "))
		}
		switch w {
		case "direct":
			o.direct = true
		case "fsync", "fdatasync":
			o.fsync = true
		case "dsync", "sync":
			switch key { // sync among conv pads blocks that were read short, and none is
			case "oflag":
				o.dsync = true
			default:
				o.ignored = append(o.ignored, key+"="+w)
			}
		case "count_bytes":
			o.countBytes = true
		case "skip_bytes":
			o.skipBytes = true
		case "seek_bytes":
			o.seekBytes = true
		default:
			o.ignored = append(o.ignored, key+"="+w)
		}
	}
	return nil
}

// unit is the block that count counts.
func (o *options) unit(fromDevice bool) int64 {
	if fromDevice {
		return o.ibs
	}
	return o.obs
}

// sector is the block of every device here.
const sector = 512

func (o *options) check() error {
	_, in := operand.Device(o.in)
	_, out := operand.Device(o.out)
	for _, b := range []struct {
		name string
		size int64
		disk bool
	}{{"ibs", o.ibs, in}, {"obs", o.obs, out}} {
		if b.disk && b.size%sector != 0 {
			return fmt.Errorf("%s=%d is no multiple of the device's block; legal: a multiple of %d", b.name, b.size, sector)
		}
	}
	if in && out && o.ibs != o.obs {
		return fmt.Errorf("ibs=%d and obs=%d between two devices; legal: the same, as bs= sets them", o.ibs, o.obs)
	}
	for _, b := range []struct {
		name  string
		bytes bool
		n     *int64
		size  int64
	}{{"skip", o.skipBytes, &o.skip, o.ibs}, {"seek", o.seekBytes, &o.seek, o.obs}, {"count", o.countBytes, &o.count, o.unit(in)}} {
		if !b.bytes || *b.n < 0 {
			continue
		}
		if *b.n%b.size != 0 {
			return fmt.Errorf("%s is %d bytes, and blocks have %d; legal: whole blocks, since a part of one is not built", b.name, *b.n, b.size)
		}
		*b.n /= b.size
	}
	for _, b := range []struct {
		name    string
		n, size int64
	}{{"skip", o.skip, o.ibs}, {"seek", o.seek, o.obs}, {"count", o.count, max(o.ibs, o.obs)}} {
		if b.n > (1<<60)/b.size {
			return fmt.Errorf("%s=%d blocks of %d bytes; legal: up to 2^60 bytes", b.name, b.n, b.size)
		}
	}
	switch {
	case !in && o.in != "/dev/zero" && o.in != "/dev/urandom":
		return fmt.Errorf("if=%s: neither a device nor an endless file; legal: /dev/sda, /dev/sdb, ..., /dev/zero", o.in)
	case !out && o.out != "/dev/null":
		return fmt.Errorf("of=%s: neither a device nor a sink; legal: /dev/sda, /dev/sdb, ..., /dev/null", o.out)
	case !in && !out:
		return fmt.Errorf("if=%s of=%s: no device at either end; legal: one or two devices such as /dev/sda", o.in, o.out)
	}
	return nil
}
