package lab

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/results"
)

func TestReproduceRunsTheCases(t *testing.T) {
	f := &fake{}
	o := try(f.run, "reproduce", "host_lock", "--format", "json", "--seed", "3", "--duration", "1s", "--set", "fs.cpu=1us", "--profiles", "p")
	require.Zero(t, o.status, o.stderr)
	require.Len(t, f.asked, 2)
	assert.Equal(t, "host-lock", f.asked[0].Strategy)
	assert.Equal(t, "unlocked-qcmds", f.asked[1].Strategy)
	assert.Equal(t, filepath.Join("p", "chen-2010", "after"), f.opts[1].ProfilesDir)
	for _, opts := range f.asked {
		assert.Equal(t, "sim", opts.Machine)
		assert.Equal(t, experiment.SeedOf(3), opts.Seed)
		assert.Equal(t, "fs.cpu", opts.Set[0].Name)
	}
	var reps []results.Reproduction
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &reps))
	require.Len(t, reps, 1)
	assert.Equal(t, "chen-2010", reps[0].Name)
	assert.True(t, reps[0].OK)
	assert.Len(t, reps[0].Rows, 13)
	assert.Equal(t, []string{"lab: warning: before, after: a warning"}, o.lines())
}

func TestReproduceWithoutANameDoesAll(t *testing.T) {
	f := &fake{}
	o := try(f.run, "reproduce")
	require.Zero(t, o.status, o.stderr)
	for _, want := range []string{"published", "simulated", "Reproduced: 13 of 13 rows", "equal shares", "Conflicts", "Not given by the source"} {
		assert.Contains(t, o.stdout, want)
	}
}

// A row outside its band is a finding; only a strict reader takes it for a
// failure.
func TestReproduceStrict(t *testing.T) {
	f := &fake{alter: func(r *results.Result) error { r.IOPS *= 0.9; return nil }}
	o := try(f.run, "reproduce", "chen-2010")
	assert.Zero(t, o.status)
	assert.Contains(t, o.stdout, "Not reproduced: 11 of 13")
	o = try(f.run, "reproduce", "chen-2010", "--strict")
	assert.Equal(t, 1, o.status)
	assert.Equal(t, "lab: chen-2010: a row lies outside its band", o.lines()[len(o.lines())-1])
}

func TestReproduceFailsWithTheCase(t *testing.T) {
	f := &fake{alter: func(r *results.Result) error { r.Commands.Lost = 1; return nil }}
	o := try(f.run, "reproduce", "chen-2010")
	assert.Equal(t, outcome{1, "", "lab: chen-2010, case before: 1 commands were lost under strategy host-lock\n"}, o)
}

func TestReproduceInterrupted(t *testing.T) {
	f := &fake{}
	f.alter = func(r *results.Result) error { r.Partial = len(f.asked) == 2; return nil }
	o := try(f.run, "reproduce", "chen-2010", "--format", "json")
	assert.Equal(t, 130, o.status)
	var reps []results.Reproduction
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &reps))
	assert.True(t, reps[0].Partial)
	assert.False(t, reps[0].OK, "nothing is reproduced by half a run")
	assert.Len(t, reps[0].Rows, 13)

	f = &fake{alter: func(r *results.Result) error { r.Partial = true; return nil }}
	o = try(f.run, "reproduce", "chen-2010", "--format", "json")
	assert.Equal(t, 130, o.status)
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &reps))
	assert.Len(t, reps[0].Rows, 6, "the rows of the case that was begun")
	assert.True(t, strings.HasSuffix(o.stderr, "lab: interrupted; the result is partial\n"))
}
