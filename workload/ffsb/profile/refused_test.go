package profile

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type refusal struct {
	name string
	text string
	line int
	says []string // parts of the message, in this order
}

func refuse(t *testing.T, cases []refusal) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := parse(t, c.text)
			require.Error(t, err)
			assert.Nil(t, p)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, Pos{File: "t.ffsb", Line: c.line}, e.Pos, "%s", err)
			msg := err.Error()
			assert.True(t, strings.HasPrefix(msg, "t.ffsb:"+strconv.Itoa(c.line)+": "), "%s", msg)
			assert.NotContains(t, msg, "\n")
			assert.Contains(t, msg, "; ", "an error says what is wrong; what is legal")
			rest := msg
			for _, part := range c.says {
				i := strings.Index(rest, part)
				require.GreaterOrEqual(t, i, 0, "%q lacks %q", msg, part)
				rest = rest[i+len(part):]
			}
		})
	}
}

func TestRefusesFiles(t *testing.T) {
	refuse(t, []refusal{
		{"empty", "", 1, []string{"no setting at all", "legal"}},
		{"blank", "\n\n  \n", 3, []string{"no setting at all"}},
		{"comments only", "# nothing\n# here\n", 2, []string{"no setting at all"}},
		{"NUL", "time=10\n[file\x00system]\n", 2, []string{"NUL byte", "legal: text"}},
		{"long line", "time=1\n# " + strings.Repeat("x", maxLine) + "\n", 2, []string{"longer than 1023 bytes", "two", "legal"}},
		{"long last line", "callout=" + strings.Repeat("x", maxLine), 1, []string{"longer than 1023"}},
		{"byte order mark", "\xef\xbb\xbftime=1\n", 1, []string{"byte order mark", "legal"}},
		{"globals only", "time=10\n", 1, []string{"no [filesystem]", "legal: one or more"}},
		{"no group", lines("time=10", "[filesystem]", "location=/lab/a", "[end]"), 4, []string{"no [threadgroup]", "legal"}},
		{"group behind a lost end", lines("time=10", "[filesystem]", "location=/lab/a", "[threadgroup]", "num_threads=1", "stat_weight=1", "[end]"), 7,
			[]string{"no [threadgroup] section outside a filesystem", "after the [end]"}},
		{"binary", "\x7fELF\x02\x01\x01\n", 1, []string{"unknown option", `\x7f`, "legal"}},
	})
}

func TestRefusesWhatTheReaderReports(t *testing.T) {
	broken := errors.New("disk\non fire")
	_, err := Parse("t.ffsb", io.MultiReader(strings.NewReader("time=1\n"), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	assert.Equal(t, `t.ffsb:2: cannot be read: disk\non fire`, err.Error())
}

func TestRefusesValues(t *testing.T) {
	fs := func(l string) string { return oneC([]string{l}, []string{"stat_weight=1"}) }
	group := func(l string) string { return oneC(nil, []string{"stat_weight=1", l}) }
	refuse(t, []refusal{
		{"terabytes", fs("max_filesize=1t"), 3, []string{"max_filesize=1t", `"t"`, "FFSB reads 0", "legal: digits with an optional K"}},
		{"tb", fs("max_filesize=1TB"), 3, []string{`"TB"`, "reads 0", "legal"}},
		{"kibibytes", fs("max_filesize=4kib"), 3, []string{`"kib"`, "reads 0", "legal"}},
		{"bytes", fs("max_filesize=4b"), 3, []string{`"b"`, "reads 0", "legal"}},
		{"hexadecimal", fs("max_filesize=0x8000"), 3, []string{`"x8000"`, "reads 0", "legal"}},
		{"negative size", fs("max_filesize=-1"), 3, []string{"below zero", "huge", "legal"}},
		{"fraction of a size", fs("max_filesize=1.5k"), 3, []string{"fraction", "drops", "legal"}},
		{"size without digits", fs("max_filesize=k"), 3, []string{"not a size", "reads 0", "legal"}},
		{"no size", fs("max_filesize="), 3, []string{"no value", "legal"}},
		{"size beyond files", fs("max_filesize=8589934592g"), 3, []string{"more than a file can hold", "legal: less than 8 EiB"}},
		{"block beyond 32 bits", fs("create_blocksize=4g"), 3, []string{"32 bits", "legal: less than 4 GiB"}},
		{"read beyond 32 bits", group("read_size=4096m"), 9, []string{"32 bits", "legal"}},
		{"suffix on a count", fs("num_files=10k"), 3, []string{"num_files=10k", "drops to read 10", "legal: a whole number"}},
		{"suffix on a weight", group("stat_weight=1k"), 9, []string{"drops to read 1", "legal"}},
		{"suffix on time", lines("time=5s"), 1, []string{"drops to read 5", "legal"}},
		{"suffix on a delay", group("op_delay=2ms"), 9, []string{"drops to read 2", "legal"}},
		{"negative count", fs("num_dirs=-1"), 3, []string{"below zero", "legal"}},
		{"no number", fs("num_dirs=many"), 3, []string{"not a number", "legal"}},
		{"count beyond 32 bits", fs("num_dirs=4294967296"), 3, []string{"32 bits", "legal"}},
		{"not boolean", lines("directio=2"), 1, []string{"directio=2: not boolean; legal: 0 or 1"}},
		{"not boolean word", group("read_random=yes"), 9, []string{"not boolean", "legal: 0 or 1"}},
		{"verbose not boolean", lines("verbose=3"), 1, []string{"not boolean"}},
		{"skip by the byte", group("read_skip=256"), 9, []string{"lowest byte", "legal: 0 or 1"}},
		{"share above 1", fs("desired_util=60"), 3, []string{"not a share", "legal: a number from 0 to 1"}},
		{"share below 0", fs("init_util=-0.5"), 3, []string{"not a share", "legal"}},
		{"share not a number", fs("init_util=nan"), 3, []string{"not a number", "legal"}},
		{"share in hexadecimal", fs("init_util=0x1p-2"), 3, []string{"not a number", "legal"}},
		{"no location", fs("location="), 3, []string{"no value", "legal"}},
		{"size_weight with =", fs("size_weight=4k 1"), 3, []string{"size_weight=4k 1", "takes no '='", "legal"}},
		{"size_weight with blank =", fs("size_weight = 4k 1"), 3, []string{"takes no '='", "legal"}},
		{"size_weight alone", fs("size_weight 4k"), 3, []string{"needs a size and a weight", "legal: size_weight SIZE WEIGHT"}},
		{"size_weight of three", fs("size_weight 4k 1 2"), 3, []string{"needs a size and a weight", "legal"}},
		{"size_weight size", fs("size_weight 4kib 1"), 3, []string{"size 4kib", "reads 0", "legal"}},
		{"size_weight weight", fs("size_weight 4k -1"), 3, []string{"weight -1", "below zero", "legal"}},
	})
	stats := func(l string) string { return group("[stats]\n" + l + "\n[end]") }
	refuse(t, []refusal{
		{"range with =", stats("msec_range=0 1"), 10, []string{"takes no '='", "legal"}},
		{"range of one", stats("msec_range 1"), 10, []string{"two numbers", "legal"}},
		{"range of words", stats("msec_range low high"), 10, []string{`"low" is not a number`, "legal"}},
		{"range backwards", stats("msec_range 2 1"), 10, []string{"empty range", "legal"}},
		{"range below zero", stats("msec_range -1 1"), 10, []string{"32 bits", "legal"}},
		{"range beyond 32 bits", stats("msec_range 0 4294968"), 10, []string{"32 bits", "legal"}},
		{"ignore nothing", stats("ignore="), 10, []string{"no value", "legal: open, read"}},
	})
}

func TestRefusesStructure(t *testing.T) {
	fs := func(l ...string) string { return oneC(l, []string{"stat_weight=1"}) }
	group := func(l ...string) string { return oneC(nil, append([]string{"stat_weight=1"}, l...)) }
	refuse(t, []refusal{
		{"upper case", fs("NUM_DIRS=1"), 3, []string{"unknown option NUM_DIRS", "lower case", "num_dirs"}},
		{"unknown", fs("num_dir=1"), 3, []string{"unknown option num_dir", "legal in [filesystem]", "num_dirs"}},
		{"unknown global", lines("tme=1"), 1, []string{"unknown option tme", "legal in the globals", "time"}},
		{"no =", fs("num_dirs 1"), 3, []string{"no '='", "legal: num_dirs=VALUE"}},
		{"no key", fs("=1"), 3, []string{"no key", "legal"}},
		{"semicolon", fs("; num_dirs=1"), 3, []string{"comment starts with #"}},
		{"slashes", fs("// four dirs"), 3, []string{"comment starts with #"}},
		{"group key in filesystem", fs("read_size=4k"), 3, []string{"read_size does not belong in [filesystem]", "legal: in [threadgroup]"}},
		{"filesystem key in group", group("num_files=4"), 9, []string{"num_files does not belong in [threadgroup]", "legal: in [filesystem]"}},
		{"stats key in group", group("enable_stats=1"), 9, []string{"legal: in [stats]"}},
		{"global in filesystem", fs("time=5"), 3, []string{"time does not belong", "legal: in the globals"}},
		{"filesystem key outside", lines("location=/lab/a"), 1, []string{"does not belong in the globals", "legal: in [filesystem]"}},
		{"fsync_file", group("fsync_file=1"), 9, []string{"6.0 stops at", "write_fsync_weight"}},
		{"meta_weight", group("meta_weight=1"), 9, []string{"6.0 stops at", "metaop_weight"}},
		{"rewritefsync_weight", group("rewritefsync_weight=1"), 9, []string{"6.0 stops at", "write_fsync_weight"}},
		{"bucket", group("[stats]", "bucket 0 1", "[end]"), 10, []string{"6.0 stops at", "msec_range"}},
		{"unknown section", lines("[foo]"), 1, []string{"unknown section [foo]", "legal: [filesystem], [threadgroup], [stats], [end]"}},
		{"empty section", lines("[]"), 1, []string{"unknown section []", "legal"}},
		{"section in upper case", lines("[FILESYSTEM]"), 1, []string{"unknown section", "legal"}},
		{"unknown section inside", fs("[foo]"), 3, []string{"unknown section [foo]", "legal"}},
		{"filesystem in filesystem", fs("[filesystem]"), 3, []string{"[filesystem] inside [filesystem] of line 2", "legal there: [threadgroup]", "[end]"}},
		{"stats in filesystem", fs("[stats]"), 3, []string{"[stats] inside [filesystem] of line 2", "legal there"}},
		{"group in group", group("[threadgroup]"), 9, []string{"[threadgroup] inside [threadgroup] of line 6", "legal there: [stats]"}},
		{"filesystem in group", group("[filesystem]"), 9, []string{"[filesystem] inside [threadgroup]", "legal there"}},
		{"group in stats", group("[stats]", "[threadgroup]"), 10, []string{"[threadgroup] inside [stats] of line 9", "legal there: no section"}},
		{"clone of nothing", fs("clone=/lab/z"), 3, []string{"clone=/lab/z: no filesystem", "legal: /lab/a"}},
		{"bindfs to nothing", group("bindfs=/lab/z"), 9, []string{"bindfs=/lab/z: no filesystem", "legal: /lab/a"}},
		{"bindfs by number", group("bindfs=0"), 9, []string{"bindfs=0: no filesystem", "legal: /lab/a"}},
		{"agefs without group", fs("agefs=1"), 3, []string{"agefs=1 without an ageing group", "legal"}},
		{"reuse with agefs", fs("agefs=1", "reuse=1", "[threadgroup]", "num_threads=1", "create_weight=1", "write_blocksize=4k", "[end]"), 4,
			[]string{"reuse=1 beside agefs=1", "legal: only one"}},
		{"bad ageing bindfs", fs("agefs=1", "[threadgroup]", "num_threads=1", "bindfs=/lab/z", "create_weight=1", "write_blocksize=4k", "[end]"), 6,
			[]string{"bindfs=/lab/z", "legal"}},
		{"bad ageing group", fs("agefs=1", "[threadgroup]", "num_threads=1", "[end]"), 4, []string{"weights", "add up to 0", "legal"}},
		{"ageing without create", fs("agefs=1", "[threadgroup]", "num_threads=1", "delete_weight=1", "[end]"), 4, []string{"delete_weight but no create", "aborts", "legal"}},
		{"declares too much", lines("num_threadgroups=2") + group(), 1, []string{"num_threadgroups=2", "holds 1", "legal"}},
		{"many locations", func() string {
			var b strings.Builder
			for i := range 12 {
				b.WriteString(lines("[filesystem]", "location=/lab/"+strconv.Itoa(i), "[end]"))
			}
			return b.String() + lines("[threadgroup]", "bindfs=/lab/z", "[end]")
		}(), 38, []string{"legal: /lab/0", "/lab/7 and 4 more"}},
		{"bindfs without locations", lines("[filesystem]", "[end]", "[threadgroup]", "bindfs=/lab/z", "[end]"), 4, []string{"legal: none"}},
	})
}

func TestRefusesWhatCannotRun(t *testing.T) {
	fs := func(l ...string) string { return oneC(l, []string{"stat_weight=1"}) }
	group := func(l ...string) string { return oneC([]string{"min_filesize=64k", "max_filesize=64k"}, l) }
	empty := func(l ...string) string {
		return lines(append(append([]string{"time=1", "[filesystem]", "location=/lab/a", "[end]", "[threadgroup]", "num_threads=1"}, l...), "[end]")...)
	}
	refuse(t, []refusal{
		{"no location", lines("[filesystem]", "num_files=1", "[end]"), 1, []string{"[filesystem] has no location", "legal: location="}},
		{"max below min", fs("min_filesize=8k", "max_filesize=4k"), 4, []string{"max_filesize 4096 is below min_filesize 8192", "disk is full", "legal"}},
		{"min alone", fs("min_filesize=8k"), 3, []string{"max_filesize 0 is below min_filesize 8192", "legal"}},
		{"size weights of 0", fs("size_weight 4k 0", "size_weight 8k 0"), 3, []string{"add up to 0", "legal: 1 to"}},
		{"size weights too large", fs("size_weight 4k 2147483647", "size_weight 8k 1"), 3, []string{"add up to 2147483648", "legal"}},
		{"never full", lines("time=1", "[filesystem]", "location=/lab/a", "init_size=1m", "[end]"), 4, []string{"0 bytes", "never fill", "legal"}},
		{"no threads", lines("time=1", "[filesystem]", "location=/lab/a", "num_files=1", "[end]", "[threadgroup]", "stat_weight=1", "[end]"), 6,
			[]string{"[threadgroup] has no num_threads", "legal: num_threads=1"}},
		{"no thread at all", lines("time=1", "[filesystem]", "location=/lab/a", "num_files=1", "[end]", "[threadgroup]", "num_threads=0", "stat_weight=1", "[end]"), 7,
			[]string{"no group has a thread", "legal"}},
		{"no weights", group(), 8, []string{"weights of this [threadgroup] add up to 0", "legal: 1 to 2147483647"}},
		{"weights of 0", group("read_weight=0", "stat_weight=0"), 8, []string{"add up to 0", "legal"}},
		{"weights too large", group("stat_weight=2147483647", "delete_weight=1"), 8, []string{"add up to 2147483648", "legal"}},
		{"random and skip", group("read_weight=1", "read_blocksize=4k", "read_random=1", "read_skip=1", "read_skipsize=4k"), 13,
			[]string{"read_random and read_skip", "legal: one of them"}},
		{"skip without size", group("read_weight=1", "read_blocksize=4k", "read_size=9k", "read_skip=1"), 13, []string{"read_skip needs read_skipsize", "legal"}},
		{"skip over whole blocks", group("read_weight=1", "read_blocksize=4k", "read_size=8k", "read_skip=1", "read_skipsize=4k"), 13,
			[]string{"read_size 8192 is a multiple of read_blocksize 4096", "abort", "legal"}},
		{"read beyond the file", group("read_weight=1", "read_blocksize=4k", "read_size=128k"), 10, []string{"spans 131072 bytes", "as small as 65536", "aborts", "legal"}},
		{"skipping beyond the file", group("read_weight=1", "read_blocksize=4k", "read_size=33k", "read_skip=1", "read_skipsize=4k"), 10,
			[]string{"spans 66560 bytes", "aborts", "legal"}},
		{"write beyond the file", group("write_weight=1", "write_blocksize=4k", "write_size=128k"), 10, []string{"a write spans 131072", "aborts", "legal"}},
		{"write_fsync beyond the file", group("write_fsync_weight=1", "write_blocksize=4k", "write_size=128k"), 10, []string{"a write_fsync spans", "aborts"}},
		{"smallest weighted size", oneC([]string{"size_weight 1k 0", "size_weight 4k 1", "size_weight 1m 1"}, []string{"read_weight=1", "read_blocksize=1k", "read_size=8k"}), 11,
			[]string{"as small as 4096", "legal"}},
		{"no files to stat", empty("stat_weight=1"), 7, []string{"stat_weight needs files", "starts without any", "legal: num_files=1"}},
		{"no files to delete", empty("delete_weight=1"), 7, []string{"delete_weight needs files", "legal"}},
	})
	for _, op := range Ops() {
		key := op.String() + "_weight"
		switch {
		case op.Reads():
			refuse(t, []refusal{{key, group(key + "=1"), 10, []string{key + " needs read_blocksize", "legal: 1 or more"}}})
		case op.Writes():
			refuse(t, []refusal{{key, group(key + "=1"), 10, []string{key + " needs write_blocksize", "legal: 1 or more"}}})
		}
	}
}

func TestRefusesGenerationB(t *testing.T) {
	fs := func(l ...string) string { return oneB(l, []string{"delete_weight=1"}) }
	group := func(l ...string) string { return oneB(nil, append([]string{"delete_weight=1"}, l...)) }
	head := func(l ...string) string { return lines(l...) }
	refuse(t, []refusal{
		{"too few filesystems", strings.Replace(group(), "num_filesystems=1", "num_filesystems=2", 1), 8,
			[]string{"[threadgroup0]", "only 1 of the 2 filesystems", "legal: all [filesystemN] first"}},
		{"filesystems missing at the end", head("num_filesystems=2", "num_threadgroups=1", "[filesystem0]", "location=/lab/a", "[end0]"), 1,
			[]string{"num_filesystems=2", "holds 1", "legal: as many"}},
		{"too few groups", strings.Replace(group(), "num_threadgroups=1", "num_threadgroups=2", 1), 2, []string{"num_threadgroups=2", "holds 1", "legal"}},
		{"no num_threadgroups", head("num_filesystems=1", "[filesystem0]"), 2, []string{"num_threadgroups is missing or out of order", "legal"}},
		{"num_filesystems out of order", head("num_threadgroups=1", "num_filesystems=1"), 2, []string{"num_filesystems is missing or out of order", "legal"}},
		{"no filesystems", head("num_filesystems=0", "num_threadgroups=1"), 1, []string{"num_filesystems=0", "legal: 1 or more"}},
		{"no end", strings.TrimSuffix(group(), "[end0]\n"), 8, []string{"[threadgroup0] has no end", "legal: [end0]"}},
		{"no end of filesystem", strings.Replace(group(), "[end0]\n", "", 1), 7,
			[]string{"[threadgroup0] inside a filesystem", "end for the filesystem's", "legal"}},
		{"no end at all", head("num_filesystems=1", "num_threadgroups=1", "[filesystem0]", "location=/lab/a"), 3, []string{"[filesystem0] has no end", "legal: [end0]"}},
		{"no end before a filesystem", head("num_filesystems=2", "num_threadgroups=1", "[filesystem0]", "location=/lab/a", "[filesystem1]"), 5,
			[]string{"[filesystem1] before the end of [filesystem0] of line 3", "legal: [end0]"}},
		{"no end of group", strings.Replace(group("[threadgroup1]"), "num_threadgroups=1", "num_threadgroups=2", 1), 11,
			[]string{"[threadgroup1] before the end of [threadgroup0]", "legal: [end0]"}},
		{"nested without agefs", fs("agefs=0", "[threadgroup0]"), 6, []string{"inside a filesystem", "agefs=1", "legal"}},
		{"agefs not followed", fs("agefs=1", "num_dirs=1"), 5, []string{"agefs=1 without an ageing group", "legal: [threadgroup0] on the next line"}},
		{"stats without end", group("[stats]", "enable_stats=1"), 13, []string{"[end0] inside the [stats] of line 11", "legal: [end]"}},
		{"stats to the end of file", strings.TrimSuffix(group("[stats]", "enable_stats=1"), "[end0]\n"), 11, []string{"[stats] has no [end]", "legal"}},
		{"text after a number", fs("max_filesize=1t"), 5, []string{"drops to read 1", "legal: a whole number of bytes"}},
		{"kib", fs("max_filesize=4kib"), 5, []string{"drops to read 4", "legal"}},
		{"negative", fs("max_filesize=-1"), 5, []string{"below zero", "legal"}},
		{"no size", fs("max_filesize="), 5, []string{"no value", "legal"}},
		{"no =", fs("num_dirs"), 5, []string{"no '='", "legal: num_dirs=VALUE"}},
		{"long location", fs("location=/" + strings.Repeat("x", 255)), 5, []string{"256 bytes", "no room", "legal: up to 255"}},
		{"no location", head("num_filesystems=1", "num_threadgroups=1", "[filesystem0]", "[end0]", "[threadgroup0]", "num_threads=1", "delete_weight=1", "[end0]"), 3,
			[]string{"no location", "legal"}},
		{"location is not inherited", head("num_filesystems=2", "num_threadgroups=1", "[filesystem0]", "location=/lab/a", "num_files=1", "[end0]",
			"[filesystem1]", "[end1]", "[threadgroup0]", "num_threads=1", "delete_weight=1", "[end0]"), 7, []string{"no location", "legal"}},
		{"bindfs beyond", group("bindfs=1"), 11, []string{"bindfs=1", "0 to 0", "legal"}},
		{"bindfs negative", group("bindfs=-2"), 11, []string{"bindfs=-2", "legal"}},
		{"threads of 0", group("num_threads=0"), 11, []string{"num_threads=0", "legal: 1 or more"}},
		{"no threads", strings.Replace(group(), "num_threads=2\n", "", 1), 8, []string{"has no num_threads", "legal"}},
		{"bad bucket", group("[stats]", "bucket 1", "[end]"), 12, []string{"bucket 1", "two numbers", "legal"}},
		{"weights are not inherited", strings.Replace(group("[end0]", "[threadgroup1]"), "num_threadgroups=1", "num_threadgroups=2", 1), 12,
			[]string{"add up to 0", "legal"}},
		{"bad line in an extra filesystem", strings.Replace(group(), "[threadgroup0]", "[filesystem1]\nlocation=/lab/b\nnum_files=x\n[end1]\n[threadgroup0]", 1), 10,
			[]string{"num_files=x", "legal"}},
	})
}

func TestRefusesGenerationA(t *testing.T) {
	flat := func(global, config string) string {
		return lines("numconfigs=1", "numfiles=4", "maxfilesize=8192", "minfilesize=8192", "location=/lab/a", global,
			"[config0]", "threads=2", "iterations=5", "deleteweight=1", config)
	}
	refuse(t, []refusal{
		{"too few configs", strings.Replace(flat("", ""), "numconfigs=1", "numconfigs=2", 1), 1, []string{"numconfigs=2", "holds 1", "legal"}},
		{"unknown global", flat("nmdirs=1", ""), 6, []string{"unknown option nmdirs", "legal in the globals of generation A", "numdirs"}},
		{"unknown option", flat("", "thread=1"), 11, []string{"unknown option thread", "legal in [config]", "threads"}},
		{"global in config", flat("", "numdirs=1"), 11, []string{"numdirs does not belong in [config]", "legal: before"}},
		{"config key outside", flat("threads=1", ""), 6, []string{"threads does not belong in the globals", "legal: in [config]"}},
		{"section of another generation", flat("[filesystem0]", ""), 6, []string{"unknown section [filesystem0]", "legal in a profile of generation A: [config0]"}},
		{"no =", flat("numdirs", ""), 6, []string{"no '='", "legal: KEY=VALUE"}},
		{"suffix", flat("numdirs=1k", ""), 6, []string{"drops to read 1", "legal"}},
		{"size with suffix", flat("", "readsize=4k"), 11, []string{"FFSB 4.x drops to read 4", "legal"}},
		{"max below min", flat("maxfilesize=4096", ""), 6, []string{"maxfilesize 4096 is below minfilesize 8192", "legal"}},
		{"not boolean", flat("directio=2", ""), 6, []string{"not boolean", "legal"}},
		{"utilization", flat("utilization=60", ""), 6, []string{"not a share", "legal"}},
		{"no ageing weights", flat("utilization=0.1", ""), 6, []string{"add up to 0", "legal"}},
		{"no read block", flat("", "readweight=1"), 11, []string{"readweight needs readblocksize", "legal"}},
		{"no threads", strings.Replace(flat("", ""), "threads=2\n", "", 1), 7, []string{"[config] has no threads", "legal: threads=1"}},
		{"no location", strings.Replace(flat("", ""), "location=/lab/a\n", "", 1), 1, []string{"has no location", "legal"}},
		{"no files", strings.Replace(flat("", ""), "numfiles=4", "numfiles=0", 1), 10, []string{"deleteweight needs files", "legal: numfiles=1"}},
		{"read beyond the file", flat("", "readweight=1\nreadsize=9000\nreadblocksize=4096"), 11, []string{"spans 9000", "legal: readsize"}},
		{"no config", lines("numconfigs=0", "location=/lab/a"), 2, []string{"no [config] section", "legal"}},
	})
}
