package profile

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What FFSB takes is taken; says holds a part of each warning, in order.
func TestAcceptsWithWarnings(t *testing.T) {
	stat := []string{"stat_weight=1"}
	for _, c := range []struct {
		name  string
		text  string
		says  []string
		check func(t *testing.T, p *Profile)
	}{
		{"plain", oneC(nil, stat), nil, func(t *testing.T, p *Profile) { assert.Equal(t, GenC, p.Generation) }},
		{"CRLF", strings.ReplaceAll(oneC([]string{"num_dirs=3"}, stat), "\n", "\r\n"), nil,
			func(t *testing.T, p *Profile) {
				assert.Equal(t, 3, p.Filesystems[0].NumDirs.V)
				assert.Equal(t, "/lab/a", p.Filesystems[0].Location.V)
			}},
		{"no last line break", strings.TrimSuffix(oneC(nil, stat), "\n"), nil, nil},
		{"line of 1023 bytes", "#" + strings.Repeat("x", maxLine-1) + "\n" + oneC(nil, stat), nil, nil},
		{"section numbers", strings.NewReplacer("[filesystem]", "[filesystem42]", "[end]", "[end7]").Replace(oneC(nil, stat)), nil, nil},
		{"missing last end", strings.TrimSuffix(oneC(nil, stat), "[end]\n"), []string{"t.ffsb:8: the file ends before the [end] of [threadgroup] on line 6"}, nil},
		{"backend", strings.Replace(oneC(nil, stat), "[end]", "[backend]", 1), []string{"FFSB takes [backend] for [end]"}, nil},
		{"the first name counts", strings.Replace(oneC(nil, stat), "[filesystem]", "[filesystem stats end]", 1), []string{"for [filesystem]"}, nil},
		{"unclosed bracket", strings.Replace(oneC(nil, stat), "[filesystem]", "[filesystem", 1), []string{"FFSB takes [filesystem for [filesystem]"}, nil},
		{"globals last", oneC(nil, stat) + "alignio=1\n", nil, func(t *testing.T, p *Profile) { assert.True(t, p.AlignIO.V) }},
		{"lone end", "[end]\n" + oneC(nil, stat), []string{"t.ffsb:1: [end] closes nothing"}, nil},
		{"stats outside", lines("[stats]", "enable_stats=1", "[end]") + oneC(nil, stat), []string{"t.ffsb:1: [stats] outside any [threadgroup]"}, nil},
		{"duplicate", oneC([]string{"num_dirs=1", "num_dirs=2"}, stat), []string{"t.ffsb:4: num_dirs is given again; the last one counts, not that of line 3"},
			func(t *testing.T, p *Profile) { assert.Equal(t, 2, p.Filesystems[0].NumDirs.V) }},
		{"comment in a value", oneC([]string{"location=/lab/x#y", "num_dirs=2 # two"}, stat), []string{"location is given again"}, nil},
		{"comment cuts a path", strings.Replace(oneC(nil, stat), "/lab/a", "/lab/a#b", 1), nil,
			func(t *testing.T, p *Profile) { assert.Equal(t, "/lab/a", p.Filesystems[0].Location.V) }},
		{"blanks in a path", strings.Replace(oneC(nil, stat), "/lab/a", "/lab/my dir", 1), []string{"deletes the blanks inside the value and reads /lab/mydir"}, nil},
		{"blanks in callout", "callout=echo hello world\n" + oneC(nil, stat), []string{"reads echohelloworld"},
			func(t *testing.T, p *Profile) { assert.Equal(t, "echohelloworld", p.Callout.V) }},
		{"= in a value", "callout=A=1\n" + oneC(nil, stat), nil, func(t *testing.T, p *Profile) { assert.Equal(t, "A=1", p.Callout.V) }},
		{"time 0 builds only", strings.Replace(oneC(nil, stat), "time=10", "time=0", 1), nil, func(t *testing.T, p *Profile) { assert.True(t, p.BuildOnly()) }},
		{"time 0 without a group", lines("time=0", "[filesystem]", "location=/lab/a", "[end]"),
			[]string{"would not run: no [threadgroup]"}, func(t *testing.T, p *Profile) { require.Error(t, p.CheckRun()) }},
		{"no time", strings.Replace(oneC(nil, stat), "time=10", "", 1), []string{"t.ffsb:9: no time"}, nil},
		{"a group that could not run", strings.Replace(oneC(nil, []string{"read_weight=1", "read_size=4k", "read_blocksize=4k"}), "time=10", "time=0", 1),
			[]string{"t.ffsb:8: builds the fileset only, but would not run: a read spans"},
			func(t *testing.T, p *Profile) {
				require.ErrorContains(t, p.CheckRun(), "t.ffsb:8: a read spans 4096 bytes")
			}},
		{"globals of B", lines("num_filesystems=1", "num_threadgroups=1", "bufferedio=1") + oneC(nil, stat),
			[]string{"num_filesystems=1 is an option of FFSB 5.x; FFSB 6.0 itself refuses it", "num_threadgroups=1", "bufferedio=1 is FFSB 5.x's spelling of bufferio; FFSB 6.0 itself refuses it"},
			func(t *testing.T, p *Profile) {
				assert.Equal(t, GenC, p.Generation)
				assert.True(t, p.BufferIO.V)
			}},
		{"more than declared in C", "num_threadgroups=1\n" + oneC(nil, append(stat, "[end]", "[threadgroup]", "num_threads=1", "stat_weight=1")),
			[]string{"refuses it", "the file holds 2 [threadgroup] sections, and all of them count"},
			func(t *testing.T, p *Profile) { assert.Len(t, p.Groups, 2) }},
		{"idle group", oneC(nil, append(stat, "[end]", "[threadgroup]", "num_threads=0", "stat_weight=1")), []string{"the group does nothing"}, nil},
		{"second ageing group", oneC([]string{"[threadgroup]", "[end]", "[threadgroup]", "[end]"}, stat), []string{"t.ffsb:5: a filesystem has one ageing group; FFSB uses that of line 3"},
			func(t *testing.T, p *Profile) { assert.Nil(t, p.Filesystems[0].Age) }},
		{"second stats", oneC(nil, append(stat, "[stats]", "enable_stats=1", "[end]", "[stats]", "[end]")), []string{"t.ffsb:12: a group has one [stats]; FFSB uses that of line 9"},
			func(t *testing.T, p *Profile) { assert.True(t, p.Groups[0].Stats.Enable.V) }},
		{"unclosed stats", strings.TrimSuffix(oneC(nil, append(stat, "[stats]")), "[end]\n"), []string{"[end] of [stats]", "[end] of [threadgroup]"}, nil},
		{"unclosed filesystem", lines("time=0", "[threadgroup]", "num_threads=1", "stat_weight=1", "[end]", "[filesystem]", "num_files=1", "location=/lab/a"), []string{"[end] of [filesystem]"}, nil},
		{"unknown system call", oneC(nil, append(stat, "[stats]", "ignore=fsync", "ignore=OPENAT", "ignore=open", "[end]")), []string{"ignore=fsync: no such system call"},
			func(t *testing.T, p *Profile) { assert.Len(t, p.Groups[0].Stats.Ignore, 1, "a prefix matches, once") }},
		{"skip above 1", oneC([]string{"max_filesize=64k", "min_filesize=64k"}, append(stat, "read_skip=2", "read_skipsize=1k")), []string{"read_skip=2: FFSB takes it for 1"},
			func(t *testing.T, p *Profile) { assert.True(t, p.Groups[0].ReadSkip.V) }},
		{"block of 0", oneC([]string{"create_blocksize=0"}, stat), []string{"create_blocksize=0: FFSB uses 4096 instead"},
			func(t *testing.T, p *Profile) { assert.Equal(t, int64(4096), p.Filesystems[0].CreateBlocksize.V) }},
		{"sizes beside weights", oneC([]string{"size_weight 4k 1", "min_filesize=8k"}, stat), []string{"count for nothing beside size_weight"}, nil},
		{"init beside num_files", oneC([]string{"init_util=0.5"}, stat), []string{"ignores init_size and init_util"}, nil},
		{"same location", lines("[filesystem]", "location=/lab/a", "[end]") + oneC(nil, []string{"createdir_weight=1"}), []string{"location=/lab/a is that of line 2 too"}, nil},
		{"create first", strings.Replace(oneC(nil, append(stat, "create_weight=1", "write_blocksize=4k")), "num_files=4", "", 1), []string{"FFSB aborts if it comes before the first create"}, nil},
		{"files by reuse", strings.Replace(oneC([]string{"reuse=1"}, stat), "num_files=4", "", 1), []string{"only those that reuse=1 finds"}, nil},
		{"empty operations", oneC(nil, []string{"read_weight=1", "append_weight=1", "read_blocksize=4k", "write_blocksize=4k"}), []string{"read_size is 0", "write_size is 0: each append"}, nil},
		{"less than a block", oneC([]string{"max_filesize=4k", "min_filesize=4k"},
			[]string{"read_weight=1", "write_weight=1", "read_random=1", "write_random=1", "read_blocksize=4k", "write_blocksize=4k", "read_size=1k", "write_size=1k"}),
			[]string{"random reads do whole blocks only", "random writes do whole blocks only"}, nil},
		{"ageing extras", oneC([]string{"agefs=1", "[threadgroup]", "num_threads=1", "bindfs=/lab/a", "create_weight=1", "write_blocksize=4k", "[stats]", "[end]", "[end]"}, stat),
			[]string{"ageing without desired_util", "bindfs of an ageing group is ignored", "[stats] of an ageing group"},
			func(t *testing.T, p *Profile) { assert.Equal(t, AnyFS, p.Filesystems[0].Age.BindFS.V) }},
		{"clone with settings", oneC(nil, append(stat, "[end]", "[filesystem]", "location=/lab/b", "num_dirs=9", "clone=/lab/a")), []string{"the section's own num_dirs is ignored"},
			func(t *testing.T, p *Profile) { assert.Zero(t, p.Filesystems[1].NumDirs.V) }},
		{"clone of a clone", lines("[filesystem]", "location=/lab/c", "clone=/lab/b", "[end]", "[filesystem]", "location=/lab/b", "clone=/lab/a", "[end]") + oneC(nil, []string{"createdir_weight=1"}),
			[]string{"clone=/lab/b is itself a clone"}, func(t *testing.T, p *Profile) {
				assert.Zero(t, p.Filesystems[0].NumFiles.V)
				assert.Equal(t, 4, p.Filesystems[1].NumFiles.V)
			}},
		{"clone of itself", oneC([]string{"clone=/lab/a"}, stat), nil, nil},
		{"key with blanks", oneC([]string{"num_ dirs = 3"}, stat), nil, func(t *testing.T, p *Profile) { assert.Equal(t, 3, p.Filesystems[0].NumDirs.V) }},
	} {
		t.Run(c.name, func(t *testing.T) { accept(t, c.text, c.says, c.check) })
	}
}

func accept(t *testing.T, text string, says []string, check func(*testing.T, *Profile)) {
	t.Helper()
	p, err := parse(t, text)
	require.NoError(t, err)
	require.Len(t, p.Warnings, len(says), "%q", p.Warnings)
	for i, part := range says {
		assert.Contains(t, p.Warnings[i], part)
		assert.Regexp(t, `^t\.ffsb:[0-9]+: .+$`, p.Warnings[i])
		assert.NotContains(t, p.Warnings[i], "\n")
	}
	if check != nil {
		check(t, p)
	}
}

func TestAcceptsGenerationB(t *testing.T) {
	del := []string{"delete_weight=1"}
	two := func(text string) string { return strings.Replace(text, "num_threadgroups=1", "num_threadgroups=2", 1) }
	for _, c := range []struct {
		name  string
		text  string
		says  []string
		check func(t *testing.T, p *Profile)
	}{
		{"plain", oneB(nil, del), nil, func(t *testing.T, p *Profile) { assert.Equal(t, GenB, p.Generation) }},
		{"CRLF", strings.ReplaceAll(oneB(nil, del), "\n", "\r\n"), nil, nil},
		{"wrong end", strings.Replace(oneB(nil, del), "[end0]", "[end4]", 1), []string{"[end4] closes [filesystem0]"}, nil},
		{"extra group", oneB(nil, append(del, "[end0]", "[threadgroup1]", "num_threads=9")), []string{"t.ffsb:12: FFSB 5.x ignores the rest of the file, from [threadgroup1] on"},
			func(t *testing.T, p *Profile) { assert.Len(t, p.Groups, 1) }},
		{"extra filesystem", oneB([]string{"location=/lab/b", "num_files=1", "[end0]", "[filesystem1]"}, del), []string{"[filesystem1] is one more than num_filesystems=1", "[end0] closes [filesystem1]"},
			func(t *testing.T, p *Profile) { assert.Equal(t, "/lab/b", p.Filesystems[0].Location.V) }},
		{"line between sections", strings.Replace(oneB(nil, del), "[threadgroup0]", "hello\n[threadgroup0]", 1), []string{"hello stands outside all sections"}, nil},
		{"unknown lines", oneB([]string{"nonsense"}, append(del, "rewritefsync_weight=1", "[what]")),
			[]string{"unknown line nonsense is ignored", "unknown line rewritefsync_weight=1 is ignored; legal in [threadgroup]", "unknown line [what]"}, nil},
		{"out of order", strings.Replace(oneB(nil, del), "time=10", "time=10\ndirectio=1", 1), []string{"t.ffsb:4: directio=1 is out of order, and FFSB 5.x loses it"},
			func(t *testing.T, p *Profile) { assert.False(t, p.DirectIO.V) }},
		{"lost time", strings.Replace(oneB(nil, del), "time=10", "size=1\ntime=10", 1), []string{"unknown option size", "time=10 is out of order", "no time"},
			func(t *testing.T, p *Profile) { assert.True(t, p.BuildOnly()) }},
		{"all globals", strings.Replace(oneB(nil, del), "time=10", "verbose=1\ndirectio=1\nbufferedio=1\nalignio=1\ntime=10\ncallout=echo hello # world", 1), nil,
			func(t *testing.T, p *Profile) {
				assert.Equal(t, "echo hello # world", p.Callout.V)
				assert.True(t, p.BufferIO.V)
				require.ErrorContains(t, format(&strings.Builder{}, p), "t.ffsb:8: callout=echo hello # world cannot be written for FFSB 6.0")
			}},
		{"odd boolean", oneB([]string{"reuse=2"}, del), []string{"reuse=2: FFSB 5.x takes it for 1"},
			func(t *testing.T, p *Profile) { assert.True(t, p.Filesystems[0].Reuse.V) }},
		{"text after a value", oneB([]string{"num_dirs=3 4", "max_filesize=5 # five"}, del), []string{"num_dirs=3: text after the value is ignored: 4"}, nil},
		{"path with a hash", strings.Replace(oneB(nil, del), "/lab/a", "/lab/a#b", 1), nil,
			func(t *testing.T, p *Profile) {
				assert.Equal(t, "/lab/a#b", p.Filesystems[0].Location.V)
				require.ErrorContains(t, format(&strings.Builder{}, p), "location=/lab/a#b cannot be written")
			}},
		{"stats of a filesystem", oneB([]string{"[stats]", "enable_stats=1", "[end]"}, del), []string{"[stats] of a filesystem"}, nil},
		{"second stats", oneB(nil, append(del, "[stats]", "[end]", "[stats]", "[end]")), []string{"a second [stats]"}, nil},
		{"stats lines", oneB(nil, append(del, "[stats]", "enable_stats=1", "bucket 0 1 2", "bucket 1 2 # two", "what=1", "[end]")),
			[]string{"bucket 0 1: text after", "unknown line what=1"}, func(t *testing.T, p *Profile) {
				assert.Len(t, p.Groups[0].Stats.Ranges, 2)
				assert.Equal(t, time.Millisecond, p.Groups[0].Stats.Ranges[0].Hi)
			}},
		{"any filesystem", oneB(nil, append(del, "bindfs=-1")), nil, func(t *testing.T, p *Profile) { assert.Equal(t, AnyFS, p.Groups[0].BindFS.V) }},
		{"inherited", two(oneB(nil, append(del, "fsync_file=1", "write_size=512", "write_blocksize=512", "bindfs=0", "[end0]", "[threadgroup1]", "append_weight=2"))),
			[]string{"t.ffsb:16: [threadgroup1] takes num_threads, write_size, write_blocksize from the section before it", "[end0] closes [threadgroup1]"},
			func(t *testing.T, p *Profile) {
				assert.Equal(t, 2, p.Groups[1].Weights[OpAppendFsync].V)
				assert.Equal(t, AnyFS, p.Groups[1].BindFS.V)
				assert.Equal(t, Value[int]{V: 2, Pos: Pos{"t.ffsb", 9}}, p.Groups[1].NumThreads)
			}},
	} {
		t.Run(c.name, func(t *testing.T) { accept(t, c.text, c.says, c.check) })
	}
}

func TestAcceptsGenerationA(t *testing.T) {
	body := lines("numfiles=4", "location=/lab/a", "[config0]", "threads=2", "iterations=5", "deleteweight=1")
	accept(t, body, []string{"t.ffsb:6: numconfigs is missing; all 1 [config] sections count"}, func(t *testing.T, p *Profile) {
		assert.Equal(t, GenA, p.Generation)
	})
	accept(t, "numconfigs=1\n"+body+"[config1]\nthreads=1\n", []string{"t.ffsb:8: numconfigs=1; this [config] and all after it are ignored"}, nil)
	accept(t, "numconfigs=1\n"+strings.Replace(body, "iterations=5", "iterations=0", 1), []string{"no iterations"}, nil)
	accept(t, "numconfigs=1\n"+body+"createweight=1\n", nil, func(t *testing.T, p *Profile) {
		assert.Equal(t, int64(DefaultBlocksize), p.Groups[0].WriteBlocksize.V)
	})
}

func TestDetect(t *testing.T) {
	declared := "num_filesystems=1\nnum_threadgroups=1\n"
	for text, want := range map[string]Generation{
		"numconfigs=1":                             GenA,
		"numfiles=1":                               GenA,
		"[config0]":                                GenA,
		"numfiles=1\n[filesystem0]":                GenC,
		"time=1":                                   GenC,
		"meta_weight=1":                            GenC,
		declared:                                   GenB,
		declared + "[filesystem0]\n[end0]":         GenB,
		declared + "[stats]\n[end]":                GenB,
		declared + "max_filesize=1t":               GenB,
		declared + "num_files=10k":                 GenB,
		declared + "callout=a = b":                 GenB,
		declared + "bindfs=0":                      GenB,
		declared + "bindfs=-1":                     GenB,
		declared + "what = 1":                      GenB,
		declared + "bindfs=/lab/a":                 GenC,
		declared + "[filesystem]":                  GenC,
		declared + "[threadgroup]":                 GenC,
		declared + "[end]":                         GenC,
		declared + "[filesystem0]\n[end0]\ntime=1": GenC,
		declared + "num_files = 1":                 GenC,
		declared + "num_files= 1":                  GenC,
		declared + "max_filesize=4kb":              GenC,
		declared + "stat_weight=1":                 GenC,
		declared + "size_weight 4k 1":              GenC,
		declared + "msec_range 0 1":                GenC,
		declared + "bufferio=1":                    GenC,
	} {
		lines, _, err := readLines("t", strings.NewReader(text))
		require.NoError(t, err)
		assert.Equal(t, want, detect(lines), "%q", text)
	}
	assert.Equal(t, "A (flat, FFSB 4.x)", GenA.String())
	assert.Equal(t, "B (ordered, FFSB 5.x)", GenB.String())
	assert.Equal(t, "C (recursive, FFSB 6.0)", GenC.String())
	assert.Equal(t, "unknown", Generation(0).String())
}
