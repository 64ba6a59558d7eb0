package lab

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/lockload"
)

func lock(t *testing.T, args string) outcome {
	t.Helper()
	return try(never(t), append([]string{"lock"}, strings.Fields(args)...)...)
}

// The answer comes first, and its figures are the table's.
func TestLockAnswersFirst(t *testing.T) {
	o := lock(t, "--hold 200ns --think 1.5us --cores 1,8,32 --kind ticket --duration 500us")
	require.Zero(t, o.status, o.stderr)
	first, _, _ := strings.Cut(o.stdout, "\n")
	for _, want := range []string{"one ticket", "200ns", "peaks at", "on 8 cores", "lock bounds it", "shards ticket makes"} {
		assert.Contains(t, first, want)
	}
	assert.Less(t, strings.Count(o.stdout, "\n"), 24)
	again := lock(t, "--hold 200ns --think 1.5us --cores 1,8,32 --kind ticket --duration 500us")
	assert.Equal(t, o.stdout, again.stdout, "one seed, one result")
}

func TestLockFormats(t *testing.T) {
	var r lockload.Report
	o := lock(t, "--cores 1,4 --design one,atomic --kind queued,mutex --duration 200us --format json")
	require.Zero(t, o.status, o.stderr)
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &r))
	require.Len(t, r.Points, 6, "atomic has no lock to choose")
	assert.Equal(t, 200.0, r.HoldNs)
	assert.Equal(t, "sim", r.Machine)
	for _, p := range r.Points {
		assert.Positive(t, p.OpsPerS)
		assert.InEpsilon(t, 1e9/p.OpsPerS, p.NsPerOp, 1e-9)
	}
	o = lock(t, "--cores 1,4 --design one --kind queued --duration 200us --format csv")
	rows, err := csv.NewReader(strings.NewReader(o.stdout)).ReadAll()
	require.NoError(t, err)
	assert.Len(t, rows, 3)
	chart := filepath.Join(t.TempDir(), "lock.svg")
	o = lock(t, "--cores 1,4 --duration 200us --plot "+chart)
	require.Zero(t, o.status, o.stderr)
	text, err := os.ReadFile(chart)
	require.NoError(t, err)
	assert.Contains(t, string(text), "shards mutex")
}

func TestLockWrongRequests(t *testing.T) {
	for args, want := range map[string]string{
		"--hold soon":                  "--hold",
		"--hold -1us":                  "--hold",
		"--hold lognormal:1us:0":       "lognormal:MEAN:CV",
		"--hold hist:1us":              "TIME=WEIGHT",
		"--think normal:1us":           "lognormal:",
		"--read 101%":                  "0% to 100%",
		"--cores 0":                    "--cores 0",
		"--cores 1..":                  "--cores",
		"--cores 5000":                 "--cores 5000",
		"--kind mutx":                  "did you mean mutex?",
		"--design shard":               "did you mean shards?",
		"--zipf 0.5":                   "--zipf 0.5",
		"--set cost.same_sockt=1ns":    "legal:",
		"--plot x.pdf":                 ".svg",
		"--machine live --cores 4096":  "legal: --machine sim",
		"--machine live --costs x":     "legal: --machine sim",
		"--costs nosuch.toml":          "--costs nosuch.toml",
		"--machine live --threads 100": "legal on live",
		"extra":                        "takes flags only",
	} {
		o := lock(t, args)
		assert.Equal(t, exitUsage, o.status, args)
		assert.Contains(t, o.stderr, want, args)
		assert.Equal(t, 1, strings.Count(o.stderr, "\n"), o.stderr)
		assert.Empty(t, o.stdout, args)
	}
}

func TestVerifyDesign(t *testing.T) {
	o := try(never(t), "verify", "--design", "shards", "--kind", "ticket", "--schedules", "200")
	require.Zero(t, o.status, o.stderr)
	assert.Contains(t, o.stdout, "no finding in 200 schedules")
	o = try(never(t), "verify", "--design", "shrads")
	assert.Equal(t, exitUsage, o.status)
	assert.Contains(t, o.stderr, "did you mean shards?")
	o = try(never(t), "verify", "--design", "one", "--strategy", "ring")
	assert.Equal(t, exitUsage, o.status)
}
