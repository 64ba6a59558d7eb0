package fio

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// golden is what a real fio did with one job: figures alone.
type golden struct {
	Job      string           `json:"job"`
	Fio      string           `json:"fio"`
	Ops      [2]int64         `json:"ops"` // reads, writes
	Bytes    [2]int64         `json:"bytes"`
	Flushes  int64            `json:"flushes"`
	Sizes    map[string]int64 `json:"sizes"` // operations by bytes
	Distinct int64            `json:"distinct_blocks"`
	// Top is the share of the operations on the 1, 10 and 100 blocks that had most.
	Top   [3]float64 `json:"top"`
	InRow float64    `json:"in_row"` // share that begins where the one before it ended
	Depth [7]float64 `json:"depth_pct"`
}

// jobs that are compared. The engine comes behind: fio's own null engine where
// what is chosen counts, a file where depths do.
var goldenJobs = []struct{ job, real, ours string }{
	{"--rw=randread --bs=4k --size=16m", "--ioengine=null", "--ioengine=psync"},
	{"--rw=randrw --rwmixread=70 --bs=4k --size=32m", "--ioengine=null", "--ioengine=psync"},
	{"--rw=randwrite --bssplit=4k/60:16k/30:64k/10 --size=64m --norandommap", "--ioengine=null", "--ioengine=psync"},
	{"--rw=randread --bsrange=4k-32k --size=32m", "--ioengine=null", "--ioengine=psync"},
	{"--rw=randread --bs=4k --size=16m --io_size=64m --random_distribution=zipf:1.2", "--ioengine=null", "--ioengine=psync"},
	{"--rw=randread --bs=4k --size=16m --io_size=64m --random_distribution=pareto:0.2", "--ioengine=null", "--ioengine=psync"},
	{"--rw=randread --bs=4k --size=16m --io_size=64m --random_distribution=normal:10", "--ioengine=null", "--ioengine=psync"},
	{"--rw=randread --bs=4k --size=16m --io_size=64m --random_distribution=zoned:60/10:30/20:8/30:2/40", "--ioengine=null", "--ioengine=psync"},
	{"--rw=rw --rwmixwrite=20 --bs=8k --size=16m --nrfiles=4 --fsync=32", "--ioengine=null", "--ioengine=psync"},
	{"--rw=randread:8 --bs=4k --size=16m --iodepth=16 --iodepth_batch=8 --iodepth_batch_complete_min=8 --norandommap", "--ioengine=libaio", "--ioengine=libaio"},
	{"--rw=randread --bs=4k --size=16m --iodepth=32 --iodepth_low=8", "--ioengine=libaio", "--ioengine=libaio"},
	{"--rw=randwrite --bs=4k --size=16m --percentage_random=30 --norandommap", "--ioengine=null", "--ioengine=psync"},
}

const goldenFile = "testdata/goldens.json"

//go:embed testdata/goldens.json
var goldenText []byte

// TestRecordGoldens runs the real fio, where HOSTLOCK_FIO names it
// (make fio-goldens), and keeps its figures.
func TestRecordGoldens(t *testing.T) {
	program := os.Getenv("HOSTLOCK_FIO")
	if program == "" {
		t.Skip("HOSTLOCK_FIO names no fio")
	}
	version, err := exec.Command(program, "--version").Output()
	require.NoError(t, err)
	var all []golden
	for _, j := range goldenJobs {
		dir := t.TempDir()
		log := filepath.Join(dir, "log")
		args := append(strings.Fields(j.job), j.real, "--direct=1", "--name=a", "--output-format=json", "--write_iolog="+log)
		if !strings.Contains(j.real, "null") {
			args = append(args, "--directory="+dir)
		}
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		require.NoError(t, err, j.job)
		g := golden{Job: j.job, Fio: strings.TrimSpace(string(version))}
		var report struct {
			Jobs []struct {
				Depth map[string]float64 `json:"iodepth_level"`
			} `json:"jobs"`
		}
		require.NoError(t, json.Unmarshal(out[bytes.IndexByte(out, '{'):], &report))
		for i, name := range []string{"1", "2", "4", "8", "16", "32", ">=64"} {
			g.Depth[i] = report.Jobs[0].Depth[name]
		}
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		var ops []done
		names := map[string]int{}
		for sc := bufio.NewScanner(bytes.NewReader(text)); sc.Scan(); {
			f := strings.Fields(sc.Text()) // time file action offset length
			if len(f) < 3 {
				continue
			}
			if f[2] == "sync" {
				g.Flushes++
			}
			if f[2] != "read" && f[2] != "write" {
				continue
			}
			if _, ok := names[f[1]]; !ok {
				names[f[1]] = len(names)
			}
			off, err1 := strconv.ParseInt(f[3], 10, 64)
			n, err2 := strconv.ParseInt(f[4], 10, 64)
			require.NoError(t, err1)
			require.NoError(t, err2)
			ops = append(ops, done{dir: map[string]int{"read": reads, "write": writes}[f[2]], file: names[f[1]], off: off, n: n})
		}
		g.figures(ops)
		all = append(all, g)
	}
	text, err := json.MarshalIndent(all, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(goldenFile, append(text, '\n'), 0o644))
}

// figures are worked out from the operations.
func (g *golden) figures(ops []done) {
	g.Sizes = map[string]int64{}
	blocks := map[[2]int64]int64{}
	end := map[[2]int]int64{}
	inRow := 0
	for _, o := range ops {
		g.Ops[o.dir]++
		g.Bytes[o.dir] += o.n
		g.Sizes[strconv.FormatInt(o.n, 10)]++
		blocks[[2]int64{int64(o.file), o.off / 4096}]++
		at := [2]int{o.file, o.dir}
		if e, ok := end[at]; ok && e == o.off {
			inRow++
		}
		end[at] = o.off + o.n
	}
	g.Distinct = int64(len(blocks))
	var n []int64
	for _, c := range blocks {
		n = append(n, c)
	}
	slices.SortFunc(n, func(a, b int64) int { return int(b - a) })
	for i, k := range []int{1, 10, 100} {
		sum := int64(0)
		for _, c := range n[:min(k, len(n))] {
			sum += c
		}
		g.Top[i] = float64(sum) / float64(len(ops))
	}
	g.InRow = float64(inRow) / float64(len(ops))
}

// TestGoldens holds our operations against fio's, within four standard errors
// of two samples.
func TestGoldens(t *testing.T) {
	var all []golden
	require.NoError(t, json.Unmarshal(goldenText, &all))
	require.Len(t, all, len(goldenJobs))
	for i, want := range all {
		j := goldenJobs[i]
		require.Equal(t, j.job, want.Job)
		r, ops, _, _ := trial{line: "fio --name=a --direct=1 " + j.job + " " + j.ours, all: true}.run(t)
		var got golden
		got.figures(ops)
		y := &r.threads[0].sum
		n := float64(want.Ops[0] + want.Ops[1])
		near := func(what string, got, want, more float64) {
			t.Helper()
			p := math.Max(want, 1/n)
			require.InDelta(t, want, got, 4*math.Sqrt(2*p*(1-min(p, 1))/n)+more+1e-9, "%s: %s", j.job, what)
		}
		total := float64(got.Ops[0] + got.Ops[1])
		// So many of random sizes as make the same sum.
		mean, square := float64(want.Bytes[0]+want.Bytes[1])/n, 0.0
		for size, k := range want.Sizes {
			s, err := strconv.ParseFloat(size, 64)
			require.NoError(t, err)
			square += s * s * float64(k) / n
		}
		require.InEpsilon(t, n, total, 4*math.Sqrt(2*(square/mean/mean-1+1e-12)/n)+1e-4, j.job)
		near("share of reads", float64(got.Ops[0])/total, float64(want.Ops[0])/n, 0)
		require.InEpsilon(t, want.Bytes[0]+want.Bytes[1], got.Bytes[0]+got.Bytes[1], 0.001, j.job)
		require.InDelta(t, want.Flushes, y.flushes, 1+4*math.Sqrt(float64(want.Flushes)), j.job)
		for size, k := range want.Sizes {
			near("operations of "+size+" bytes", float64(got.Sizes[size])/total, float64(k)/n, 0)
		}
		blocks := float64(r.threads[0].clone.regions[0].span*int64(len(r.threads[0].clone.regions))) / 4096
		near("blocks touched", float64(got.Distinct)/blocks, float64(want.Distinct)/blocks, 0)
		for k := range want.Top {
			near("share of the favourites", got.Top[k], want.Top[k], 0.0005)
		}
		near("in a row", got.InRow, want.InRow, 0)
		// Fio counts flushes among the depths, and not in what they are a share of.
		sum, theirs := 0.0, 0.0
		for k, d := range y.depth {
			sum, theirs = sum+float64(d), theirs+want.Depth[k]
		}
		for k, d := range y.depth {
			near("depth", float64(d)/sum, want.Depth[k]/theirs, 0.002) // fio prints two digits, and one at its ends
		}
	}
}
