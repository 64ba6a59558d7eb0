package fio

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// acting are the options that change what reaches the path, or when.
var acting = []option{
	{name: "kb_base", about: "what k and ki mean: 1024 and 1000 (the default), or the other way round", set: func(j *job, v string) error {
		n, err := size(v, 1024)
		if err != nil || n != 1000 && n != 1024 {
			return fmt.Errorf("unknown value; legal: 1000, 1024")
		}
		j.kbBase = int(n)
		return nil
	}},
	{name: "name", about: "the job's name, and the default name of its files", set: func(j *job, v string) error { j.name = v; return nil }},
	{name: "rw", aliases: "readwrite", about: "read, write, randread, randwrite, rw, randrw; :N is operations in a row before the next random offset, or bytes skipped after each of those in order", set: setRW},
	{name: "rw_sequencer", about: "whether operations in a row go on, or repeat the offset", set: oneOf(func(j *job, v string) { j.identical = v == "identical" }, "sequential", "identical")},
	{name: "rwmixread", about: "percent reads, or writes", set: number100(func(j *job, n int) { j.mix = n })},
	{name: "rwmixwrite", about: "percent reads, or writes", set: number100(func(j *job, n int) { j.mix = 100 - n })},
	{name: "bs", aliases: "blocksize", about: "bytes an operation: one size, a range to draw from alike, or sizes with a share each; of reads and writes apart where there is a comma", set: setBlocks},
	{name: "bsrange", aliases: "blocksize_range", about: "bytes an operation: one size, a range to draw from alike, or sizes with a share each; of reads and writes apart where there is a comma", set: setBlocks},
	{name: "bssplit", about: "bytes an operation: one size, a range to draw from alike, or sizes with a share each; of reads and writes apart where there is a comma", set: setSplit},
	{name: "ba", aliases: "blockalign", about: "what random offsets are a multiple of; the smallest block by default", set: func(j *job, v string) error {
		parts, err := directions(v)
		for d := range j.align {
			if err == nil && parts[d] != "" {
				j.align[d], err = atLeast(parts[d], j.kbBase, 1)
			}
		}
		return err
	}},
	{name: "bs_unaligned", aliases: "blocksize_unaligned", flag: true, about: "sizes of a range need not be multiples of the smallest", set: yes(func(j *job, b bool) { j.unaligned = b })},
	{name: "ioengine", about: "see the table of engines", set: setEngine},
	{name: "iodepth", about: "operations that one thread keeps under way", set: whole(1, maxDepth, func(j *job, n int) { j.depth = n })},
	{name: "iodepth_batch", aliases: "iodepth_batch_submit", about: "operations a submission; 0 is all of iodepth", set: whole(0, maxDepth, func(j *job, n int) { j.batch = n })},
	{name: "iodepth_batch_complete_min", aliases: "iodepth_batch_complete", about: "operations that a call for completions waits for, and takes at most", set: whole(0, maxDepth, func(j *job, n int) { j.reapMin = n })},
	{name: "iodepth_batch_complete_max", about: "operations that a call for completions waits for, and takes at most", set: whole(0, maxDepth, func(j *job, n int) { j.reapMax = n })},
	{name: "iodepth_low", about: "how far a full queue is emptied before it is filled again", set: whole(1, maxDepth, func(j *job, n int) { j.low = n })},
	{name: "direct", about: "past the page cache, or through it", set: yes(func(j *job, b bool) { j.direct = b })},
	{name: "buffered", about: "past the page cache, or through it", set: yes(func(j *job, b bool) { j.direct = !b })},
	{name: "size", about: "bytes that a job works on, over all its files; a share is one of the device", set: setAmount(func(j *job, a amount) { j.size = a })},
	{name: "io_size", aliases: "io_limit", about: "bytes that a job moves, if not size", set: setAmount(func(j *job, a amount) { j.ioSize = a })},
	{name: "filesize", about: "size of each file, or a range to draw it from", set: func(j *job, v string) (err error) {
		j.fileSize[0], j.fileSize[1], err = span(v, j.kbBase)
		return err
	}},
	{name: "offset", aliases: "fileoffset", about: "where in a file the job begins, and how much further each clone", set: setAmount(func(j *job, a amount) { j.offset = a })},
	{name: "offset_increment", about: "where in a file the job begins, and how much further each clone", set: setAmount(func(j *job, a amount) { j.increment = a })},
	{name: "number_ios", about: "operations after which the job ends", set: func(j *job, v string) (err error) { j.numberIOs, err = count(v, 0, maxBytes); return err }},
	{name: "loops", about: "passes over the job's size", set: whole(0, 1<<30, func(j *job, n int) { j.loops = max(n, 1) })},
	{name: "runtime", aliases: "timeout", about: "when the job ends at the latest, in seconds, and whether it begins again until then", set: period(time.Second, func(j *job, d time.Duration) { j.runtime = d })},
	{name: "time_based", flag: true, about: "when the job ends at the latest, in seconds, and whether it begins again until then", set: yes(func(j *job, b bool) { j.timeBased = b })},
	{name: "ramp_time", about: "what the job's own counts leave out, from its beginning; seconds", set: period(time.Second, func(j *job, d time.Duration) { j.ramp = d })},
	{name: "startdelay", about: "when the job begins, or a range to draw it from; seconds", set: setDelay},
	{name: "norandommap", flag: true, about: "random offsets may come again before all were there", set: yes(func(j *job, b bool) { j.norandommap = b })},
	{name: "random_distribution", about: "random, zipf:T, pareto:H, normal:D (percent), zoned:ACCESS/SIZE:... and zoned_abs; all but random come without a map", set: setDistribution},
	{name: "percentage_random", about: "share of the operations of a random job whose offset is random", set: func(j *job, v string) error {
		parts, err := directions(v)
		for d := range j.percRandom {
			if err == nil && parts[d] != "" {
				var n int64
				n, err = count(parts[d], 0, 100)
				j.percRandom[d] = int(n)
			}
		}
		return err
	}},
	{name: "filename", about: "devices (/dev/sda is device 0; other block devices take the lowest free ones) or files, separated by colons", set: func(j *job, v string) error {
		j.files = splitNames(v)
		return namesLegal(j.files)
	}},
	{name: "directory", about: "where files lie: names alone, since files lie on the devices in turn", set: func(j *job, v string) error { j.directories = splitNames(v); return nil }},
	{name: "filename_format", about: "which clones share a file: $jobname, $jobnum, $filenum", set: func(j *job, v string) error { j.format = v; return nil }},
	{name: "nrfiles", aliases: "nr_files", about: "files that size is divided among", set: whole(1, 1<<16, func(j *job, n int) { j.nrfiles = n })},
	{name: "file_service_type", about: "which file is next: roundrobin, sequential, random, zipf, pareto, normal; :N is operations before the next", set: setService},
	{name: "rate", about: "bytes, or operations, a second at most, of reads and writes", set: perDirection(func(j *job, d int, n int64) { j.rate[d] = float64(n) })},
	{name: "rate_iops", about: "bytes, or operations, a second at most, of reads and writes", set: perDirection(func(j *job, d int, n int64) { j.rateIOPS[d] = float64(n) })},
	{name: "rate_process", about: "at even times, or as a Poisson process", set: oneOf(func(j *job, v string) { j.poisson = v == "poisson" }, "linear", "poisson")},
	{name: "thinktime", about: "a pause after so many operations (completed, or issued), once all are back, and how much of it keeps the core busy; microseconds", set: period(time.Microsecond, func(j *job, d time.Duration) { j.think = d })},
	{name: "thinktime_spin", about: "a pause after so many operations (completed, or issued), once all are back, and how much of it keeps the core busy; microseconds", set: period(time.Microsecond, func(j *job, d time.Duration) { j.thinkSpin = d })},
	{name: "thinktime_blocks", about: "a pause after so many operations (completed, or issued), once all are back, and how much of it keeps the core busy; microseconds", set: whole(1, 1<<30, func(j *job, n int) { j.thinkBlocks = n })},
	{name: "thinktime_blocks_type", about: "a pause after so many operations (completed, or issued), once all are back, and how much of it keeps the core busy; microseconds", set: oneOf(func(j *job, v string) { j.thinkIssue = v == "issue" }, "complete", "issue")},
	{name: "fsync", about: "writes before each flush of the device's cache, and of the page cache before it; alike, since no file system has metadata to write", set: whole(0, 1<<30, func(j *job, n int) { j.fsync = n })},
	{name: "fdatasync", about: "writes before each flush of the device's cache, and of the page cache before it; alike, since no file system has metadata to write", set: whole(0, 1<<30, func(j *job, n int) { j.fdatasync = n })},
	{name: "end_fsync", about: "a flush at the end of a pass that wrote", set: yes(func(j *job, b bool) { j.endFsync = b })},
	{name: "sync", about: "each write is followed by a flush", set: oneOf(func(j *job, v string) { j.sync = v != "none" && v != "0" }, "none", "0", "sync", "1", "dsync")},
	{name: "verify", about: "what a pass wrote is read back, in that order, at its end or after so many writes, whatever the pattern", set: setVerify},
	{name: "do_verify", about: "what a pass wrote is read back, in that order, at its end or after so many writes, whatever the pattern", set: yes(func(j *job, b bool) { j.readBack = b })},
	{name: "verify_backlog", about: "what a pass wrote is read back, in that order, at its end or after so many writes, whatever the pattern", set: func(j *job, v string) (err error) { j.backlog, err = count(v, 0, maxBytes); return err }},
	{name: "numjobs", about: "clones of the job, a thread each", set: whole(1, maxClones, func(j *job, n int) { j.clones = n })},
	{name: "stonewall", aliases: "wait_for_previous", flag: true, about: "the job begins once all before it, or the named one, have ended", set: yes(func(j *job, b bool) { j.stonewall = b })},
	{name: "wait_for", about: "the job begins once all before it, or the named one, have ended", set: func(j *job, v string) error { j.waitFor = v; return nil }},
	{name: "exitall", flag: true, about: "all jobs end with this one", set: yes(func(j *job, b bool) { j.exitAll = b })},
	{name: "new_group", flag: true, about: "what is one report", set: yes(func(j *job, b bool) { j.ownGroup = b })},
	{name: "group_reporting", flag: true, about: "what is one report", set: yes(func(j *job, b bool) { j.together = b })},
	{name: "cpus_allowed", about: "cores that the clones are placed on, in turn", set: setCPUs},
	{name: "cpumask", about: "cores that the clones are placed on, in turn", set: func(j *job, v string) error {
		mask, err := strconv.ParseUint(v, 0, 64)
		if err != nil || mask == 0 {
			return fmt.Errorf("unknown value; legal: a number with at least one bit")
		}
		j.cpus = nil
		for c := range 64 {
			if mask>>c&1 != 0 {
				j.cpus = append(j.cpus, c)
			}
		}
		return nil
	}},
	{name: "continue_on_error", about: "errors of which operations are counted, and do not end the run: none, read, write, io, verify, all", set: func(j *job, v string) error {
		switch v {
		case "none", "0", "verify":
			j.errorsOK = [2]bool{}
		case "read":
			j.errorsOK = [2]bool{true, false}
		case "write":
			j.errorsOK = [2]bool{false, true}
		case "io", "all", "1":
			j.errorsOK = [2]bool{true, true}
		default:
			return fmt.Errorf("unknown value; legal: none, read, write, io, verify, all, 0, 1")
		}
		return nil
	}},
}

func setRW(j *job, v string) error {
	kind, more, counted := strings.Cut(v, ":")
	does := map[string][2]bool{"read": {true, false}, "write": {false, true}, "rw": {true, true}, "readwrite": {true, true}}
	plain, random := strings.CutPrefix(kind, "rand")
	d, ok := does[plain]
	if strings.Contains(kind, "trim") {
		return fmt.Errorf("trims: no command of this path discards; legal: read, write, rw, randread, randwrite, randrw")
	}
	if !ok || random && plain == "readwrite" {
		return fmt.Errorf("unknown value; legal: read, write, rw or readwrite, randread, randwrite, randrw")
	}
	j.does, j.random, j.run, j.stride = d, random, 1, 0
	if !counted {
		return nil
	}
	if random {
		n, err := count(more, 1, 1<<30)
		j.run = int(n)
		return err
	}
	digits, back := strings.CutPrefix(strings.TrimPrefix(more, "+"), "-")
	n, err := size(digits, j.kbBase)
	if j.stride = n; back {
		j.stride = -n
	}
	return err
}

func setBlocks(j *job, v string) error {
	v = strings.ReplaceAll(v, "/", ",") // between the ranges of reads and writes
	parts, err := directions(v)
	if err != nil {
		return err
	}
	for d, text := range parts {
		if text == "" {
			continue
		}
		lo, hi, err := span(text, j.kbBase)
		if err != nil {
			return err
		}
		if err := blockLegal(lo, hi); err != nil {
			return err
		}
		j.bs[d] = blocks{lo: lo, hi: hi}
	}
	return nil
}

func blockLegal(lo, hi int64) error {
	if lo < 1 || hi > maxBlock {
		return fmt.Errorf("blocks of %d to %d bytes; legal: 1 byte to 1g", lo, hi)
	}
	return nil
}

func setSplit(j *job, v string) error {
	parts, err := directions(v)
	if err != nil {
		return err
	}
	for d, text := range parts {
		if text == "" {
			continue
		}
		if j.bs[d], err = split(text, j.kbBase); err != nil {
			return err
		}
	}
	return nil
}

// split reads SIZE/PERCENT:SIZE/PERCENT; sizes without a share have alike what
// is left.
func split(text string, kbBase int) (b blocks, err error) {
	rest, open := 100.0, 0
	for part := range strings.SplitSeq(text, ":") {
		sz, pc, _ := strings.Cut(part, "/")
		s := share{percent: -1}
		if s.size, err = size(strings.TrimSpace(sz), kbBase); err != nil {
			return b, err
		}
		if err = blockLegal(s.size, s.size); err != nil {
			return b, err
		}
		if pc == "" {
			open++
		} else if s.percent, err = percent(pc); err != nil {
			return b, err
		} else {
			rest -= s.percent
		}
		b.split = append(b.split, s)
		if len(b.split) > 64 {
			return b, fmt.Errorf("more than 64 sizes; legal: up to 64, as in fio")
		}
	}
	if rest < 0 || rest > 0 && open == 0 {
		return b, fmt.Errorf("shares that add up to %g %%; legal: 100", 100-rest)
	}
	b.lo = b.split[0].size
	for i := range b.split {
		s := &b.split[i]
		if s.percent < 0 {
			s.percent = rest / float64(open)
		}
		b.lo, b.hi = min(b.lo, s.size), max(b.hi, s.size)
	}
	return b, nil
}

func percent(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "%"), 64)
	if err != nil || !(v >= 0) || v > 100 {
		return 0, fmt.Errorf("%q is no share; legal: 0 to 100", text)
	}
	return v, nil
}

func atLeast(text string, kbBase int, lo int64) (int64, error) {
	n, err := size(text, kbBase)
	if err == nil && n < lo {
		err = fmt.Errorf("%s; legal: %d or more", text, lo)
	}
	return n, err
}

func setDelay(j *job, v string) (err error) {
	lo, hi, ranged := strings.Cut(v, "-")
	if j.delay[0], err = duration(lo, time.Second); err != nil {
		return err
	}
	if j.delay[1] = j.delay[0]; ranged {
		j.delay[1], err = duration(hi, time.Second)
	}
	if j.delay[1] < j.delay[0] {
		j.delay[0], j.delay[1] = j.delay[1], j.delay[0]
	}
	return err
}

func setVerify(j *job, v string) error {
	kinds := []string{"0", "null", "crc7", "crc16", "crc32", "crc32c", "crc32c-intel", "crc64", "md5", "sha1", "sha256", "sha512",
		"sha3-224", "sha3-256", "sha3-384", "sha3-512", "xxhash", "pattern", "pattern_hdr", "meta"}
	kind, _, _ := strings.Cut(v, ":")
	if !slices.Contains(kinds, kind) {
		return fmt.Errorf("unknown value; legal: %s", strings.Join(kinds, ", "))
	}
	j.verify = kind != "0"
	return nil
}

func setCPUs(j *job, v string) error {
	j.cpus = nil
	for part := range strings.SplitSeq(v, ",") {
		lo, hi, ranged := strings.Cut(part, "-")
		a, err := strconv.Atoi(strings.TrimSpace(lo))
		b := a
		if err == nil && ranged {
			b, err = strconv.Atoi(strings.TrimSpace(hi))
		}
		if err != nil || a < 0 || b < a || b > 4095 {
			return fmt.Errorf("%q; legal: cores such as 0-3,8, up to 4095", part)
		}
		for c := a; c <= b; c++ {
			j.cpus = append(j.cpus, c)
		}
		if len(j.cpus) > 1<<16 {
			return fmt.Errorf("too many cores; legal: each once")
		}
	}
	return nil
}

// Ways to read a value.

func oneOf(set func(j *job, v string), legal ...string) func(*job, string) error {
	return func(j *job, v string) error {
		if !slices.Contains(legal, v) {
			return fmt.Errorf("unknown value; legal: %s", strings.Join(legal, ", "))
		}
		set(j, v)
		return nil
	}
}

func yes(set func(j *job, b bool)) func(*job, string) error {
	return func(j *job, v string) error {
		b, err := boolean(v)
		set(j, b)
		return err
	}
}

func whole(lo, hi int64, set func(j *job, n int)) func(*job, string) error {
	return func(j *job, v string) error {
		n, err := count(v, lo, hi)
		if err == nil {
			set(j, int(n))
		}
		return err
	}
}

func number100(set func(j *job, n int)) func(*job, string) error {
	return func(j *job, v string) error {
		return whole(0, 100, set)(j, strings.TrimSuffix(v, "%"))
	}
}

func period(unit time.Duration, set func(j *job, d time.Duration)) func(*job, string) error {
	return func(j *job, v string) error {
		d, err := duration(v, unit)
		set(j, d)
		return err
	}
}

func setAmount(set func(j *job, a amount)) func(*job, string) error {
	return func(j *job, v string) error {
		a, err := sizeOrPercent(v, j.kbBase)
		set(j, a)
		return err
	}
}

func perDirection(set func(j *job, d int, n int64)) func(*job, string) error {
	return func(j *job, v string) error {
		parts, err := directions(v)
		for d, text := range parts {
			if err == nil && text != "" {
				var n int64
				n, err = size(text, j.kbBase)
				set(j, d, n)
			}
		}
		return err
	}
}

// splitNames cuts a list at its colons; a colon behind a backslash is a
// name's own.
func splitNames(text string) []string {
	var out []string
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ':':
			b.WriteByte(':')
			i++
		case text[i] == ':':
			out = append(out, b.String())
			b.Reset()
		default:
			b.WriteByte(text[i])
		}
	}
	return append(out, b.String())
}

func namesLegal(names []string) error {
	if len(names) > 1<<16 {
		return fmt.Errorf("%d files; legal: up to 65536", len(names))
	}
	for _, n := range names {
		switch {
		case n == "" || n == "-":
			return fmt.Errorf("%q is no file; legal: devices such as /dev/sda, or files", n)
		case n == "/dev/zero" || n == "/dev/null" || n == "/dev/random" || n == "/dev/urandom":
			return fmt.Errorf("%s has no blocks: no command comes of it; legal: devices such as /dev/sda, or files", n)
		}
	}
	return nil
}
