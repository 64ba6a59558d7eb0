package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/profiles"
	"hostlock/results"
)

// What the headline was called before is legal wherever it was: as a name, in
// an experiment's file, in results and sweeps that are kept, and in profiles.
// Nothing is written under it.
func TestTheFormerNameOfTheHeadline(t *testing.T) {
	const former, now = "host-lock", "chen-2010"
	dir := t.TempDir()
	brief := func(args ...string) results.Result {
		t.Helper()
		args = append([]string{"run", "--strategy", "ring", "--machine", "sim", "--cores", "2", "--duration", "5ms", "--format", "json"}, args...)
		o := try(experiment.Run, args...)
		require.Zero(t, o.status, o.stderr)
		var r results.Result
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &r))
		return r
	}
	own := filepath.Join(dir, "own.toml")
	text := try(never(t), "show", "experiment", former).stdout
	require.NoError(t, os.WriteFile(own, []byte(strings.ReplaceAll(text, `"`+now+`"`, `"`+former+`"`)), 0o600))
	for _, name := range []string{former, "host_lock", now, "chen_2010", own} {
		assert.Equal(t, now, brief("--experiment", name).Experiment.Name, name)
		exp, err := spec.Load(name)
		require.NoError(t, err)
		assert.Equal(t, now, exp.Source, name)
	}

	cpu, ok := brief("--profiles", dir).Profiles.Get(profiles.KindCPU)
	require.True(t, ok)
	assert.Equal(t, "chen-2010_ring_2c.cpu.pb.gz", filepath.Base(cpu))
	f, err := os.Open(cpu)
	require.NoError(t, err)
	p, err := profile.Parse(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for i, c := range p.Comments {
		p.Comments[i] = strings.ReplaceAll(c, now, former)
	}
	info, ok := profiles.ReadInfo(p)
	require.True(t, ok)
	assert.Equal(t, now, info.Name)

	sweep := filepath.Join(dir, "sweep.json")
	o := try(experiment.Run, "sweep", "--experiment", former, "--strategy", "ring", "--cores", "2", "--duration", "5ms", "--format", "json", "--output", sweep)
	require.Zero(t, o.status, o.stderr)
	kept, err := os.ReadFile(sweep)
	require.NoError(t, err)
	assert.Contains(t, string(kept), `"experiment": "`+now+`"`)
	old := filepath.Join(dir, "old.json")
	require.NoError(t, os.WriteFile(old, []byte(strings.Replace(string(kept), `"`+now+`"`, `"`+former+`"`, 1)), 0o600))
	o = try(never(t), "merge", old, sweep, "--format", "json")
	require.Zero(t, o.status, o.stderr)
	assert.NotContains(t, o.stdout, `"experiment": "`+former+`"`)
	assert.Contains(t, completeKind("experiments")(), now)
	assert.NotContains(t, completeKind("experiments")(), former)
}
