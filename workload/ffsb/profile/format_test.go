package profile

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever profile a program makes, what format writes of it is a profile of
// generation C without surprises that reads back as the same.
func TestFormatReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProfile(t)
		var text strings.Builder
		if err := format(&text, p); err != nil {
			t.Fatalf("%v\n%+v", err, p)
		}
		back, err := Parse("back", strings.NewReader(text.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		assert.Equal(t, GenC, back.Generation)
		assert.Equal(t, bare(p), bare(back), "%s", text.String())
		var again strings.Builder
		require.NoError(t, format(&again, back))
		assert.Equal(t, text.String(), again.String())
	})
}

func drawProfile(t *rapid.T) *Profile {
	p := &Profile{
		Time:     Value[time.Duration]{V: time.Duration(rapid.Uint32().Draw(t, "time")) * time.Second},
		DirectIO: drawBool(t, "directio"),
		AlignIO:  drawBool(t, "alignio"),
		BufferIO: drawBool(t, "bufferio"),
		Callout:  Value[string]{V: rapid.StringMatching(`([!-"$-~]{1,40})?`).Draw(t, "callout")},
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "filesystems") {
		p.Filesystems = append(p.Filesystems, drawFS(t, i))
	}
	for range rapid.IntRange(1, 4).Draw(t, "groups") {
		g := drawGroup(t)
		g.BindFS.V = rapid.IntRange(AnyFS, len(p.Filesystems)-1).Draw(t, "bindfs")
		p.Groups = append(p.Groups, g)
	}
	p.Groups[0].NumThreads.V = max(p.Groups[0].NumThreads.V, 1)
	return p
}

func drawBool(t *rapid.T, name string) Value[bool] {
	return Value[bool]{V: rapid.Bool().Draw(t, name)}
}

func drawCount(t *rapid.T, name string, least int) Value[int] {
	return Value[int]{V: rapid.IntRange(least, maxCount).Draw(t, name)}
}

func drawSize(t *rapid.T, name string, least, most int64) Value[int64] {
	n := rapid.Int64Range(least, most).Draw(t, name)
	if shift := rapid.SampledFrom([]uint{0, 10, 20, 30}).Draw(t, name+" unit"); n>>shift<<shift >= least {
		n = n >> shift << shift
	}
	return Value[int64]{V: n}
}

// drawFS draws a filesystem whose files are no smaller than what drawGroup
// reads and writes.
func drawFS(t *rapid.T, i int) Filesystem {
	const least = 1 << 34
	f := Filesystem{
		Location:        Value[string]{V: "/" + string(rune('a'+i)) + rapid.StringMatching(`[!-"$-~é]{0,40}`).Draw(t, "location")},
		NumFiles:        drawCount(t, "num_files", 1),
		NumDirs:         drawCount(t, "num_dirs", 0),
		InitSize:        drawSize(t, "init_size", 0, maxSize),
		InitUtil:        Value[float64]{V: rapid.Float64Range(0, 1).Draw(t, "init_util")},
		MinSize:         drawSize(t, "min_filesize", least, maxSize),
		CreateBlocksize: drawSize(t, "create_blocksize", 1, max32),
		AgeBlocksize:    drawSize(t, "age_blocksize", 1, max32),
		DesiredUtil:     Value[float64]{V: rapid.Float64Range(0, 1).Draw(t, "desired_util")},
	}
	f.MaxSize = drawSize(t, "max_filesize", f.MinSize.V, maxSize)
	for range rapid.IntRange(0, 5).Draw(t, "size_weights") {
		f.SizeWeights = append(f.SizeWeights, SizeWeight{
			Size:   drawSize(t, "size", least, maxSize).V,
			Weight: rapid.IntRange(1, 1<<20).Draw(t, "weight"),
		})
	}
	if rapid.Bool().Draw(t, "agefs") {
		g := drawGroup(t)
		g.NumThreads.V, g.Stats, g.Weights[OpCreate].V = max(g.NumThreads.V, 1), Stats{}, 1
		f.Age = &g
	} else {
		f.Reuse = drawBool(t, "reuse")
	}
	return f
}

func drawGroup(t *rapid.T) ThreadGroup {
	g := ThreadGroup{
		NumThreads:     drawCount(t, "num_threads", 0),
		BindFS:         Value[int]{V: AnyFS},
		ReadSize:       drawSize(t, "read_size", 0, 1<<20),
		ReadBlocksize:  drawSize(t, "read_blocksize", 1<<11, max32),
		ReadSkipsize:   drawSize(t, "read_skipsize", 1, 1<<20),
		WriteSize:      drawSize(t, "write_size", 0, max32),
		WriteBlocksize: drawSize(t, "write_blocksize", 1, max32),
		WriteRandom:    drawBool(t, "write_random"),
		OpDelay:        Value[time.Duration]{V: time.Duration(rapid.Uint32().Draw(t, "op_delay")) * time.Millisecond},
	}
	switch rapid.IntRange(0, 2).Draw(t, "how to read") {
	case 1:
		g.ReadRandom.V = true
	case 2:
		g.ReadSkip.V = g.ReadSize.V%g.ReadBlocksize.V != 0
	}
	for _, op := range Ops() {
		g.Weights[op].V = rapid.IntRange(0, 1<<20).Draw(t, op.String())
	}
	g.Weights[rapid.SampledFrom(Ops()).Draw(t, "sure")].V = 1
	g.Stats = Stats{Enable: drawBool(t, "enable_stats"), EnableRange: drawBool(t, "enable_range")}
	for _, call := range rapid.SliceOfDistinct(rapid.IntRange(0, NumSyscalls-1), func(i int) int { return i }).Draw(t, "ignore") {
		g.Stats.Ignore = append(g.Stats.Ignore, Value[Syscall]{V: Syscall(call)})
	}
	for range rapid.IntRange(0, 5).Draw(t, "ranges") {
		lo := rapid.Uint32().Draw(t, "lo")
		hi := rapid.Uint32Range(lo, 1<<32-1).Draw(t, "hi")
		g.Stats.Ranges = append(g.Stats.Ranges, Range{Lo: time.Duration(lo) * time.Microsecond, Hi: time.Duration(hi) * time.Microsecond})
	}
	return g
}

// Every size that generation C can write is read as what it says.
func TestSizesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawSize(t, "size", 0, maxSize).V
		back, p := parseSize(GenC, formatSize(n), maxSize)
		assert.Empty(t, p)
		assert.Equal(t, n, back)
	})
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "007": 7, "1k": 1 << 10, "1K": 1 << 10, "1kb": 1 << 10, "1KB": 1 << 10, "1kB": 1 << 10,
		"3m": 3 << 20, "3MB": 3 << 20, "2g": 2 << 30, "2Gb": 2 << 30, "9223372036854775807": maxSize,
	} {
		n, p := parseSize(GenC, text, maxSize)
		assert.Empty(t, p, text)
		assert.Equal(t, want, n, text)
	}
}

func TestFormatRefuses(t *testing.T) {
	good := func() *Profile {
		p := mustParse(t, oneC(nil, []string{"stat_weight=1"}))
		other := p.Filesystems[0]
		p.Filesystems = append(p.Filesystems, other)
		p.Filesystems[1].Location.V = "/lab/b"
		return p
	}
	require.NoError(t, format(&strings.Builder{}, good()))
	for name, c := range map[string]struct {
		spoil func(p *Profile)
		says  string
	}{
		"blank":           {func(p *Profile) { p.Callout.V = "echo hello" }, "callout=echo hello cannot be written"},
		"hash":            {func(p *Profile) { p.Filesystems[0].Location.V = "/a#b" }, "t.ffsb:3: location=/a#b cannot be written"},
		"NUL":             {func(p *Profile) { p.Filesystems[0].Location.V = "/a\x00" }, "cannot be written"},
		"long":            {func(p *Profile) { p.Filesystems[0].Location.V = strings.Repeat("a", 1014) }, "does not fit a line"},
		"no filesystem":   {func(p *Profile) { p.Filesystems = nil }, "no [filesystem] section"},
		"bindfs":          {func(p *Profile) { p.Groups[0].BindFS.V = 2 }, "bindfs is 2, but the filesystems are 0 to 1"},
		"negative bindfs": {func(p *Profile) { p.Groups[0].BindFS.V = -7 }, "bindfs is -7"},
		"hidden location": {func(p *Profile) { p.Filesystems[1].Location.V = "/lab/a"; p.Groups[0].BindFS.V = 1 }, "filesystem 0 has the same location"},
		"second location": {func(p *Profile) { p.Filesystems[1].Location.V = "/a b" }, "cannot be written"},
		"unable to run":   {func(p *Profile) { p.Groups[0].Weights[OpRead].V = 1 }, "read_weight needs read_blocksize"},
		"bindfs of ageing": {func(p *Profile) {
			g := p.Groups[0]
			g.Weights[OpCreate].V, g.WriteBlocksize.V, g.BindFS.V = 1, 1, 5
			p.Filesystems[0].Age = &g
		}, "bindfs is 5"},
	} {
		t.Run(name, func(t *testing.T) {
			p := good()
			c.spoil(p)
			var out strings.Builder
			err := format(&out, p)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Contains(t, err.Error(), c.says)
			assert.Contains(t, err.Error(), "; legal")
			assert.Empty(t, out.String(), "nothing is written")
		})
	}
	require.Error(t, format(failing{}, good()))
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestErrorsOfProgramsHaveNoPlace(t *testing.T) {
	p := &Profile{Filesystems: []Filesystem{{Location: Value[string]{V: "/a"}}}, Time: Value[time.Duration]{V: time.Second}}
	p.Groups = []ThreadGroup{{BindFS: Value[int]{V: AnyFS}}}
	err := format(&strings.Builder{}, p)
	require.Error(t, err)
	assert.True(t, strings.HasPrefix(err.Error(), "num_threads=0; legal") || strings.HasPrefix(err.Error(), "the weights"), err.Error())
}

func TestPos(t *testing.T) {
	assert.Empty(t, Pos{}.String())
	assert.Equal(t, `a\nb:3`, Pos{File: "a\nb", Line: 3}.String())
	assert.Equal(t, "a: nothing", at(Pos{}, "a: nothing"))
}

func TestOps(t *testing.T) {
	assert.Len(t, Ops(), 15)
	for _, op := range Ops() {
		assert.NotEmpty(t, op.String())
		assert.Equal(t, strings.HasSuffix(op.String(), "_fsync"), op.Fsync(), "%s", op)
		assert.Equal(t, strings.TrimSuffix(op.String(), "_fsync"), op.Base().String())
	}
	assert.Equal(t, "unknown", Op(-1).String())
	assert.Equal(t, "unknown", Syscall(99).String())
}
