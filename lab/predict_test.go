package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/predict"
	"hostlock/record"
)

// recordFile is a record of one lock, as of a program on two processors.
func recordFile(t *testing.T) string {
	t.Helper()
	used := 20.0
	r := record.Record{
		Schema: 1, Procs: 2, Seconds: 10, CPUSeconds: 20,
		Locks: []record.Lock{{
			Site: "main.work main.go:10", Lock: "main.work main.go:10", Function: "main.work", File: "main.go", Line: 10, Kind: "mutex",
			Instances: 1, Acquisitions: 2_000_000, Contended: 200_000, Hold: &record.Times{Mean: 1000, P50: 1000, P99: 1500},
			WaitTotalNs: 2_000_000 * 150, HottestUtilizationPct: &used, Goroutines: 2,
		}},
	}
	text, err := json.Marshal(&r)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "record.json")
	require.NoError(t, os.WriteFile(name, text, 0o600))
	return name
}

func TestPredictAnswersFirst(t *testing.T) {
	file := recordFile(t)
	o := try(never(t), "predict", file, "--cores", "2,4", "--design", "one")
	require.Zero(t, o.status, o.stderr)
	assert.True(t, strings.HasPrefix(o.stdout, "main.work main.go:10 "), o.stdout)
	assert.Contains(t, o.stdout, "Self-check")
	o = try(never(t), "predict", file, "--cores", "2", "--design", "one", "--format", "json")
	var p predict.Prediction
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &p))
	assert.Equal(t, "main.work main.go:10", p.Lock)
	assert.InEpsilon(t, 200e3, p.Today.OpsPerS, 1e-9)
	assert.NotEmpty(t, p.SelfCheck)
}

func TestPredictWrongRequests(t *testing.T) {
	file := recordFile(t)
	other := filepath.Join(t.TempDir(), "other.json")
	require.NoError(t, os.WriteFile(other, []byte(`{"schema":7}`), 0o600))
	for args, want := range map[string]string{
		"":                              "lab record -o FILE",
		file + " " + file:               "one record",
		"nosuch.json":                   "nosuch.json",
		other:                           "legal: 1",
		"/dev/zero":                     "/dev/zero",
		file + " --lock x.go:1":         "main.work main.go:10",
		file + " --cores 0":             "--cores 0",
		file + " --design shrads":       "did you mean shards?",
		file + " --reads x.go:1":        "--reads",
		file + " --ledger l.csv":        "--check AFTER",
		file + " --costs nosuch.toml":   "nosuch.toml",
		file + " --check nosuch.json":   "nosuch.json",
		file + " --set cost.nosuch=1ns": "legal:",
	} {
		o := try(never(t), append([]string{"predict"}, strings.Fields(args)...)...)
		assert.Equal(t, exitUsage, o.status, args)
		assert.Contains(t, o.stderr, want, args)
		assert.Equal(t, 1, strings.Count(o.stderr, "\n"), o.stderr)
		assert.Empty(t, o.stdout, args)
	}
}
