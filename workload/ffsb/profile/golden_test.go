package profile

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each profile in testdata has a golden file: generation, warnings, and the
// profile as format writes it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ffsb")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			p, err := Parse(filepath.Base(file), strings.NewReader(string(text)))
			require.NoError(t, err)
			var got strings.Builder
			fmt.Fprintf(&got, "# generation %s\n", p.Generation)
			for _, w := range p.Warnings {
				fmt.Fprintf(&got, "# warning: %s\n", w)
			}
			require.NoError(t, format(&got, p))
			golden := strings.TrimSuffix(file, ".ffsb") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got.String())
			again, err := Parse("again", strings.NewReader(got.String()))
			require.NoError(t, err)
			assert.Equal(t, bare(p), bare(again))
		})
	}
}

func open(t *testing.T, file string) *Profile {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", file))
	require.NoError(t, err)
	defer f.Close()
	p, err := Parse(file, f)
	require.NoError(t, err)
	return p
}

func TestGenerationA(t *testing.T) {
	p := open(t, "a_spool.ffsb")
	assert.Equal(t, GenA, p.Generation)
	assert.Empty(t, p.Warnings)
	assert.False(t, p.BuildOnly(), "iterations end a run of generation A")
	assert.False(t, p.Time.IsSet())
	assert.True(t, p.Aligned(), "directio aligns")
	assert.Equal(t, 4, p.TotalThreads())

	fs := p.Filesystems[0]
	assert.Equal(t, Value[int]{V: 600, Pos: Pos{"a_spool.ffsb", 3}}, fs.NumFiles)
	assert.Equal(t, int64(16384), fs.MinFileSize())
	assert.Equal(t, int64(32768), fs.MaxFileSize())
	require.NotNil(t, fs.Age, "utilization above 0 ages")
	assert.Equal(t, 7, fs.Age.Weights[OpCreate].V)
	assert.Equal(t, 2, fs.Age.Weights[OpDelete].V)
	assert.Equal(t, 0.25, fs.DesiredUtil.V)

	g := p.Groups[0]
	assert.Equal(t, Pos{"a_spool.ffsb", 16}, g.Pos)
	assert.Equal(t, Value[int]{V: 1500, Pos: Pos{"a_spool.ffsb", 18}}, g.Iterations)
	assert.Equal(t, AnyFS, g.BindFS.V)
	assert.Equal(t, 3, g.Weights[OpAppend].V, "writeweight appends")
	assert.Zero(t, g.Weights[OpWrite].V)
	assert.Equal(t, int64(2048), g.WriteBlocksize.V)
	assert.False(t, g.ReadSkip.V)
	assert.True(t, p.Groups[1].ReadSkip.V, "readseeksize skips")
	assert.Equal(t, int64(512), p.Groups[1].ReadSkipsize.V)
}

func TestGenerationB(t *testing.T) {
	p := open(t, "b_web.ffsb")
	assert.Equal(t, GenB, p.Generation)
	assert.Equal(t, 45*time.Second, p.Time.V)
	assert.Equal(t, "sync", p.Callout.V)
	assert.True(t, p.Aligned())

	log := p.Filesystems[1]
	assert.Equal(t, Value[int]{V: 20, Pos: Pos{"b_web.ffsb", 12}}, log.NumDirs, "inherited, with the place it comes from")
	assert.Equal(t, int64(16384), log.CreateBlocksize.V)
	assert.Nil(t, log.Age, "agefs=0 of its own")
	require.NotNil(t, p.Filesystems[0].Age)

	web, logger := p.Groups[0], p.Groups[1]
	assert.Equal(t, 0, web.BindFS.V)
	assert.Equal(t, 1, logger.BindFS.V)
	assert.Equal(t, 5*time.Millisecond, logger.OpDelay.V, "inherited")
	assert.Zero(t, logger.Weights[OpRead].V, "weights are not inherited")
	assert.Zero(t, logger.Weights[OpAppend].V)
	assert.Equal(t, 4, logger.Weights[OpAppendFsync].V, "fsync_file")
	assert.Equal(t, 1, logger.Weights[OpMetaop].V, "meta_weight")
	assert.True(t, web.Stats.EnableRange.V, "ranges need no switch in 5.x")
	assert.True(t, web.Stats.Ignores(SysLseek))
	assert.False(t, web.Stats.Ignores(SysRead))
	assert.Equal(t, 500*time.Microsecond, web.Stats.Ranges[0].Hi, "in file order")
	assert.False(t, logger.Stats.Enable.V, "stats are not inherited")
}

func TestGenerationC(t *testing.T) {
	p := open(t, "c_mixed.ffsb")
	assert.Equal(t, GenC, p.Generation)
	assert.Equal(t, Value[time.Duration]{V: 30 * time.Second, Pos: Pos{"c_mixed.ffsb", 24}}, p.Time)

	ssd0, ssd1, aged := p.Filesystems[0], p.Filesystems[1], p.Filesystems[2]
	assert.Equal(t, 8, ssd1.NumFiles.V, "cloned")
	assert.Equal(t, ssd0.NumFiles.Pos, ssd1.NumFiles.Pos)
	assert.Equal(t, "/lab/ssd1", ssd1.Location.V)
	assert.Equal(t, int64(DefaultBlocksize), ssd1.CreateBlocksize.V)
	assert.Zero(t, aged.NumDirs.V, "nothing is inherited")
	assert.Equal(t, int64(1<<30), aged.InitSize.V)
	assert.Equal(t, []SizeWeight{
		{Size: 1 << 20, Weight: 10, Pos: Pos{"c_mixed.ffsb", 43}},
		{Size: 4 << 10, Weight: 90, Pos: Pos{"c_mixed.ffsb", 42}},
	}, aged.SizeWeights, "file order reversed")
	assert.Equal(t, int64(4<<10), aged.MinFileSize())
	assert.Equal(t, int64(1<<20), aged.MaxFileSize())
	require.NotNil(t, aged.Age)
	assert.Equal(t, 2, aged.Age.NumThreads.V)

	g := p.Groups[0]
	assert.Equal(t, int64(64<<10), g.ReadSize.V, "blanks inside a size vanish")
	assert.Equal(t, 100, g.TotalWeight())
	assert.True(t, g.Does(OpRead))
	assert.False(t, g.Does(OpWrite, OpAppend))
	assert.Equal(t, []Value[Syscall]{{V: SysClose, Pos: Pos{"c_mixed.ffsb", 17}}}, g.Stats.Ignore)
	assert.Equal(t, 290*time.Microsecond, g.Stats.Ranges[1].Hi, "file order reversed, whole microseconds")
	assert.Equal(t, AnyFS, p.Groups[1].BindFS.V)
	assert.Equal(t, 17, p.TotalThreads())
}
