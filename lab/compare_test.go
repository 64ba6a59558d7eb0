package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/compare"
	"hostlock/experiment/evidence"
	"hostlock/experiment/spec"
)

func TestWrongComparisons(t *testing.T) {
	dir := t.TempDir()
	noResult := file(t, "none.json", `{"schema":1}`)
	partial := file(t, "partial.json", `{"schema":1,"partial":true,"experiment":{"strategy":"ring"}}`)
	noSets := file(t, "sets.json", `{"schema":1,"sets":[]}`)
	otherSets := file(t, "other.json", `{"schema":1,"experiment":"mine","basis":"x","sets":[{"set":[]}]}`)
	for args, want := range map[string]string{
		"compare":                                        `0 sides; legal: two or more`,
		"compare ring":                                   `1 sides; legal: two or more`,
		"compare ring rign":                              `unknown strategy "rign"`,
		"compare ring ring:":                             `side "ring:" says nothing; legal: STRATEGY`,
		"compare ring ring:x":                            `side "ring:x": legal: name=value`,
		"compare ring ring:nothing=1":                    `unknown parameter "nothing"`,
		"compare ring " + noResult:                       `files of results and strategies`,
		"compare " + noResult + " " + noResult:           `holds no result of a run; legal: `,
		"compare " + partial + " " + partial:             `is partial`,
		"compare ring per-queue --runs 3 --seeds 1":      `--seeds and --runs both say`,
		"compare ring per-queue --seeds x":               `--seeds "x": legal: whole numbers`,
		"compare ring per-queue --machine live --runs 5": `5 runs a side on this computer; legal: 6 or more`,
		"compare ring per-queue --sets " + noSets:        `holds no parameter set; legal: `,
		"compare ring per-queue --sets " + otherSets:     `was found for another experiment (mine)`,
		"compare ring per-queue --sets " + dir:           `is a directory`,
	} {
		t.Run(strings.ReplaceAll(args, dir, "DIR"), func(t *testing.T) {
			o := try(never(t), strings.Fields(args)...)
			assert.Equal(t, 2, o.status)
			assert.Empty(t, o.stdout)
			require.Len(t, o.lines(), 1, o.stderr)
			assert.Contains(t, o.stderr, want)
		})
	}
}

// The same on both sides differs by nothing; what a side sets reaches it alone.
func TestCompareForReal(t *testing.T) {
	args := []string{"--cores", "4", "--duration", "10ms", "--no-sets", "--format", "json", "--runs", "6"}
	run := func(args ...string) []compare.Change {
		o := try(brief, append([]string{"compare"}, args...)...)
		require.Zero(t, o.status, o.stderr)
		var list []compare.Change
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &list))
		require.NotEmpty(t, list)
		assert.Equal(t, "iops", list[0].Figure)
		return list
	}
	for _, c := range run(append([]string{"ring", "ring"}, args...)...) {
		assert.Zero(t, c.Change, c.Figure)
		assert.False(t, c.Significant, c.Figure)
		assert.True(t, c.Paired)
		assert.Nil(t, c.FitLow)
	}
	slow := run(append([]string{"ring", "ring:fs.cpu=5ms"}, args...)...)[0]
	assert.True(t, slow.Significant)
	assert.Less(t, slow.Change, -50.0)
	assert.Less(t, *slow.High, 0.0)
	assert.LessOrEqual(t, *slow.Low, slow.Change)
	both := run(append([]string{"ring", "ring", "--set", "fs.cpu=5ms"}, args...)...)[0]
	assert.Equal(t, slow.MedianB, both.MedianA)
}

// The closing sentence names what bounds the side, by trial.
func TestCompareNamesTheNextBound(t *testing.T) {
	closing := func(args ...string) string {
		o := try(experiment.Run, append([]string{"compare", "ring", "per-queue", "--cores", "8", "--duration", "20ms", "--no-sets", "--runs", "1"}, args...)...)
		require.Zero(t, o.status, o.stderr)
		lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
		return lines[len(lines)-1]
	}
	assert.Contains(t, closing("--set", "fs.cpu=1us", "--set", "host.can_queue=16"), "next bound: host.can_queue (25 % more")
	assert.Contains(t, closing("--set", "fs.cpu=2ms"), "next bound: cpu (25 % more")
	assert.Contains(t, closing("--threads", "2", "--set", "fs.cpu=1us"), "next bound: device (25 % more", "of two threads there is no quarter more")
}

// Results in files compare as the runs that they came from.
func TestCompareFiles(t *testing.T) {
	dir := t.TempDir()
	for _, s := range []string{"host-lock", "ring"} {
		var all []byte
		for _, seed := range []string{"1", "2", "3", "4", "5", "6"} {
			o := try(brief, "run", "--strategy", s, "--machine", "sim", "--cores", "4", "--duration", "10ms", "--seed", seed, "--format", "json")
			require.Zero(t, o.status, o.stderr)
			all = append(all, o.stdout...)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, s+".json"), all, 0o644))
	}
	files := try(never(t), "compare", filepath.Join(dir, "host-lock.json"), filepath.Join(dir, "ring.json"), "--format", "json")
	require.Zero(t, files.status, files.stderr)
	now := try(brief, "compare", "host-lock", "ring", "--cores", "4", "--duration", "10ms", "--no-sets", "--runs", "6", "--format", "json")
	require.Zero(t, now.status, now.stderr)
	var a, b []compare.Change
	require.NoError(t, json.Unmarshal([]byte(files.stdout), &a))
	require.NoError(t, json.Unmarshal([]byte(now.stdout), &b))
	require.Len(t, a, len(b))
	for i := range a {
		assert.InDelta(t, b[i].Change, a[i].Change, 0.01, a[i].Figure)
		assert.True(t, a[i].Paired)
	}
}

// The kept sets belong to the headline as it is, and to no edited copy.
func TestKeptSets(t *testing.T) {
	exp, err := spec.Load(defaultExperiment)
	require.NoError(t, err)
	kept, err := evidence.Kept(exp)
	require.NoError(t, err)
	require.NotNil(t, kept, "make evidence writes them")
	assert.GreaterOrEqual(t, len(kept.Sets), 50)
	for _, v := range kept.Sets {
		_, err := experiment.NewPlan(v.Apply(exp), experiment.Request{Machine: "sim", Set: v.Set})
		require.NoError(t, err)
	}
	edited := *exp
	edited.Threads++
	none, err := evidence.Kept(&edited)
	require.NoError(t, err)
	assert.Nil(t, none)
}
