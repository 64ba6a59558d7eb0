package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/evidence"
	"hostlock/experiment/fit"
)

const smallHost = "name = \"mine\"\nstrategy = \"host-lock\"\ndriver = \"mptsas\"\nworkload = \"headline\"\ncores = 8\nthreads = 32\nduration = \"20ms\"\n" +
	"[[parameter]]\nname = \"mptsas.queuecommand\"\nvalue = \"3us\"\nsource = \"measured\"\n" +
	"[[parameter]]\nname = \"fs.cpu\"\nvalue = \"100us\"\nsource = \"measured\"\n"

// What a host with known parameters measures is found again, from a file that
// has others; what is found fits, and compare takes it.
func TestFitFindsWhatMadeTheFigures(t *testing.T) {
	path := file(t, "mine.toml", smallHost)
	truth := try(experiment.Run, "run", "--experiment", path, "--machine", "sim", "--set", "fs.cpu=60us", "--set", "midlayer.section=2us", "--format", "json")
	require.Zero(t, truth.status, truth.stderr)
	var r struct {
		IOPS float64 `json:"iops"`
		CPU  struct {
			HostLock float64 `json:"host_lock_pct"`
		} `json:"cpu"`
	}
	require.NoError(t, json.Unmarshal([]byte(truth.stdout), &r))
	number := func(v float64) string { b, _ := json.Marshal(v); return string(b) }
	sets := filepath.Join(t.TempDir(), "sets.json")
	args := []string{"fit", path, "--target", "iops=" + number(r.IOPS), "--target", "cpu.host_lock_pct=" + number(r.CPU.HostLock),
		"--vary", "fs.cpu,midlayer.section=0.5us..8us", "--searches", "8", "--tolerance", "4", "--sets", sets}
	o := try(experiment.Run, append(args, "--format", "json")...)
	require.Zero(t, o.status, o.stderr)
	var f fit.Found
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &f))
	require.NotEmpty(t, f.Sets)
	for _, s := range f.Sets {
		assert.InEpsilon(t, r.IOPS, s.Figures["iops"], 0.041)
		assert.InEpsilon(t, r.CPU.HostLock, s.Figures["host_lock_pct"], 0.041)
	}
	require.Len(t, f.Parameters, 2)
	cpu := f.Parameters[0]
	assert.Less(t, cpu.Low, 60e3*1.1)
	assert.Greater(t, cpu.High, 60e3*0.9)
	require.Len(t, f.Answers, 1)
	assert.Equal(t, "unlocked-qcmds", f.Answers[0].Name)
	assert.LessOrEqual(t, f.Answers[0].Low, f.Answers[0].High)

	again := try(experiment.Run, append(args, "--format", "json")...)
	assert.Equal(t, o.stdout, again.stdout, "the same seed, the same sets")

	text, err := os.ReadFile(sets)
	require.NoError(t, err)
	kept, err := evidence.ReadSets(text)
	require.NoError(t, err)
	require.Len(t, kept.Sets, len(f.Sets))
	var b bytes.Buffer
	require.NoError(t, kept.Write(&b))
	assert.Equal(t, string(text), b.String())
	c := try(experiment.Run, "compare", "host-lock", "unlocked-qcmds", "--experiment", path, "--sets", sets, "--runs", "6")
	require.Zero(t, c.status, c.stderr)
	assert.Contains(t, c.stdout, "over parameter sets that fit as well; simulation noise")
}

// Where no set fits it says how near it came, and writes nothing.
func TestNoFit(t *testing.T) {
	path := file(t, "mine.toml", smallHost)
	sets := filepath.Join(t.TempDir(), "sets.json")
	o := try(experiment.Run, "fit", path, "--target", "iops=1e9", "--vary", "fs.cpu", "--searches", "2", "--duration", "5ms", "--sets", sets)
	assert.Equal(t, 1, o.status)
	assert.Empty(t, o.stdout)
	require.Len(t, o.lines(), 1)
	assert.Contains(t, o.stderr, "the nearest gives iops=")
	assert.NoFileExists(t, sets)
}

func TestWrongFits(t *testing.T) {
	path := file(t, "mine.toml", smallHost)
	for args, want := range map[string]string{
		"fit":                       `no experiment named; legal: `,
		"fit FILE":                  `nothing to fit to; legal: --target`,
		"fit FILE --target iops=1":  `nothing to vary; legal: --vary`,
		"fit FILE --target ipos=1":  `no figure "ipos"; legal: FIGURE=VALUE`,
		"fit FILE --target iops=-1": `iops=-1; legal: a number above 0`,
		"fit FILE --target iops=1 --box 1 --vary fs.cpu":                    `a box of 1; legal: a factor above 1`,
		"fit FILE --target iops=1 --tolerance 0 --vary fs.cpu":              `--tolerance "0": legal: a number above 0`,
		"fit FILE --target iops=1 --vary fs.cpo":                            `unknown parameter "fs.cpo"; legal: fs.cpu, `,
		"fit FILE --target iops=1 --vary fs.shape":                          `fs.shape is no number`,
		"fit FILE --target iops=1 --vary fs.cpu=2us..1us":                   `the box of fs.cpu is `,
		"fit FILE --target iops=1 --vary fs.cpu=2us":                        `legal: NAME or NAME=FROM..TO`,
		"fit FILE --target iops=1 --vary fs.cpu,fs.cpu":                     `fs.cpu is there twice`,
		"fit FILE --target iops=1 --vary ramdisk.queuecommand":              `is nothing that driver mptsas`,
		"fit FILE --target iops=1 --vary fs.cpu --answer rign":              `unknown strategy "rign"`,
		"fit FILE --target iops=1 --vary fs.cpu --answer ring:nothing.at=1": `unknown parameter "nothing.at"`,
	} {
		t.Run(args, func(t *testing.T) {
			o := try(never(t), strings.Fields(strings.ReplaceAll(args, "FILE", path))...)
			assert.Equal(t, 2, o.status)
			assert.Empty(t, o.stdout)
			require.Len(t, o.lines(), 1, o.stderr)
			assert.Contains(t, o.stderr, want)
		})
	}
}
