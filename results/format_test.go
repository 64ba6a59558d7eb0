package results

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	// A checkout on Windows may have turned the line ends.
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), string(got))
}

func reproduction(t *testing.T) []Reproduction {
	t.Helper()
	rep, err := hostLock.Reproduce(map[string]*Result{"before": fixture(), "after": after()}, []string{"before.iops", "after.iops"})
	require.NoError(t, err)
	return []Reproduction{rep}
}

func TestFormatsOfAResult(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, f.Result(&b, fixture()))
			golden(t, "result."+f.Name, b.Bytes())
		})
	}
}

func TestFormatsOfReproductions(t *testing.T) {
	for _, f := range Formats() {
		if f.Reproductions == nil {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, f.Reproductions(&b, reproduction(t)))
			golden(t, "reproduction."+f.Name, b.Bytes())
		})
	}
}

func TestFormatsTakeAnEmptyResult(t *testing.T) {
	for _, f := range Formats() {
		assert.NoError(t, f.Result(io.Discard, &Result{}), f.Name)
		if f.Reproductions != nil {
			assert.NoError(t, f.Reproductions(io.Discard, nil), f.Name)
			assert.NoError(t, f.Reproductions(io.Discard, []Reproduction{{Name: "mine"}}), f.Name)
		}
	}
}

func TestUnknownFormatNamesTheLegalOnes(t *testing.T) {
	_, err := Format("yaml")
	assert.EqualError(t, err, `unknown format "yaml"; legal: text, json, csv, markdown, lockstat, gobench, native`)
	_, err = ReproductionFormat("lockstat")
	assert.EqualError(t, err, `format "lockstat" has no place for a published table; legal: text, json, csv, markdown`)
	_, err = ReproductionFormat("yaml")
	assert.EqualError(t, err, `unknown format "yaml"; legal: text, json, csv, markdown`)
}

func TestRegisterFormatRefusesANameTwice(t *testing.T) {
	assert.Panics(t, func() { RegisterFormat(Formatter{Name: "json"}) })
}

// keys lists an object's members with dots for depth; arrays by their first
// element.
func keys(v any, prefix string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			into[prefix+k] = true
			keys(x, prefix+k+".", into)
		}
	case []any:
		if len(v) > 0 {
			keys(v[0], prefix, into)
		}
	}
}

// contract is every member that checks outside rely on.
const contract = `
schema partial
experiment experiment.name experiment.strategy experiment.driver experiment.workload experiment.machine
experiment.cores experiment.threads experiment.duration_s experiment.warmup_s experiment.seed
parameters parameters.name parameters.value parameters.unit parameters.source parameters.fitted
iops throughput_mb_s
operations operations.transactions operations.write
bound bound.by bound.limit bound.reached_pct bound.next bound.next.by bound.next.limit
occupancy occupancy.in_flight_mean occupancy.host_full_pct occupancy.device_full_pct
commands commands.issued commands.completed commands.failed commands.requeued commands.lost
latency_us latency_us.mean latency_us.p50 latency_us.p95 latency_us.p99 latency_us.p99.9 latency_us.max
cpu cpu.busy_pct cpu.host_lock_pct cpu.host_lock_by_function_pct
cpu.host_lock_by_function_pct.scsi_dispatch_cmd cpu.host_lock_by_function_pct.scsi_device_unbusy
cpu.host_lock_by_function_pct.scsi_request_fn cpu.host_lock_by_function_pct.scsi_run_queue
cpu.host_lock_by_function_pct.other
cpu.contention_pct cpu.contention_by_class_pct
cpu.contention_by_class_pct.host_lock cpu.contention_by_class_pct.FreeQ cpu.contention_by_class_pct.cache_line
cpu.budget_pct
counters counters.host_lock_pct counters.contention_pct
locks locks.class locks.acquisitions locks.contentions locks.con_bounces locks.acq_bounces
locks.wait_ns locks.wait_ns.min locks.wait_ns.max locks.wait_ns.total locks.wait_ns.avg
locks.hold_ns locks.hold_ns.min locks.hold_ns.max locks.hold_ns.total locks.hold_ns.avg
lines lines.line lines.fields lines.transfers lines.busy_pct
fairness fairness.per_thread_min fairness.per_thread_max fairness.stddev_pct
profiles profiles.cpu profiles.contention
published published.source published.ok published.rows published.rows.name published.rows.published
published.rows.measured published.rows.error_pct published.rows.band published.rows.used_to_fit
warnings`

func TestJSONHasTheContractsMembers(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeJSON(&b, fixture()))
	var v any
	require.NoError(t, json.Unmarshal(b.Bytes(), &v))
	got := map[string]bool{}
	keys(v, "", got)
	for k := range got {
		if strings.HasPrefix(k, "cpu.budget_pct.") {
			delete(got, k) // its rows are the machine's
		}
	}
	want := map[string]bool{}
	for _, k := range strings.Fields(contract) {
		want[k] = true
	}
	assert.Equal(t, want, got)
}

func TestJSONOfReproductionsHasTheContractsMembers(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeJSONReproductions(&b, reproduction(t)))
	var v any
	require.NoError(t, json.Unmarshal(b.Bytes(), &v))
	require.IsType(t, []any{}, v)
	got := map[string]bool{}
	keys(v, "", got)
	want := map[string]bool{}
	for _, k := range strings.Fields("name source ok fitted rows rows.name rows.published rows.measured rows.error_pct rows.band rows.used_to_fit") {
		want[k] = true
	}
	assert.Equal(t, want, got)
}

func TestJSONSaysEmptyAndNotNull(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeJSON(&b, &Result{}))
	var v map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &v))
	for k, x := range v {
		assert.Equal(t, k == "published" || k == "bound" || k == "occupancy", x == nil, k) // where there is none
	}
	b.Reset()
	require.NoError(t, writeJSONReproductions(&b, nil))
	assert.Equal(t, "[]\n", b.String())
}

func TestJSONReadsBack(t *testing.T) {
	var b, again bytes.Buffer
	require.NoError(t, writeJSON(&b, fixture()))
	var r Result
	require.NoError(t, json.Unmarshal(b.Bytes(), &r))
	require.NoError(t, writeJSON(&again, &r))
	assert.Equal(t, b.String(), again.String())
}

func TestJSONRefusesWhatIsNoNumber(t *testing.T) {
	r := fixture()
	zero := 0.0
	r.IOPS = zero / zero
	var b bytes.Buffer
	assert.Error(t, writeJSON(&b, r))
	assert.Zero(t, b.Len(), "half an object was written")
}

func TestCSVLinesAreAllAsWide(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeCSV(&b, fixture()))
	rows, err := csv.NewReader(&b).ReadAll() // itself refuses ragged rows
	require.NoError(t, err)
	assert.Greater(t, len(rows), 60)
}

func TestTextIsOneColumnOfSaneLines(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeText(&b, fixture()))
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSuffix(line, "\n")
		assert.Equal(t, strings.TrimRight(line, " "), line, "trailing blanks")
		assert.NotContains(t, line, "\t")
	}
	assert.Contains(t, b.String(), "go tool pprof -http=: profiles/chen-2010_host-lock_64c.cpu.pb.gz")
}

// The answer comes first, and fits a screen; all else is asked for.
func TestTextFitsAScreen(t *testing.T) {
	live := fixture()
	live.Experiment.Machine, live.Experiment.Cores = "live", 2
	live.Live = &Live{Samples: 4000, Scale: 9.89, Derivation: []string{"a formula"}, Simulated: fixture()}
	many := fixture()
	for i := range 30 {
		many.Warnings = append(many.Warnings, fmt.Sprintf("note %d, %s", i, strings.Repeat("and more ", 20)))
		many.Parameters = append(many.Parameters, Parameter{Name: fmt.Sprint("set.", i), Value: 1.5, Origin: "--set"})
	}
	for name, r := range map[string]*Result{"sim": fixture(), "live": live, "many notes": many, "nothing ran": {}} {
		var b, full, parameters bytes.Buffer
		require.NoError(t, WriteReport(&b, r, View{}), name)
		require.NoError(t, WriteReport(&full, r, View{Full: true}), name)
		require.NoError(t, WriteReport(&parameters, r, View{Parameters: true}), name)
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		assert.LessOrEqual(t, len(lines), Lines+1, name)
		for _, line := range lines {
			assert.LessOrEqual(t, utf8.RuneCountInString(line), Width, "%s: %s", name, line)
		}
		if r.Bound != nil {
			assert.True(t, strings.HasPrefix(b.String(), "bounded by host_lock: "), name)
			assert.NotContains(t, b.String(), "midlayer.cv", name)
			assert.Contains(t, full.String(), "midlayer.cv", name)
			assert.Contains(t, full.String(), "acq-bounces", name)
			assert.Contains(t, parameters.String(), "midlayer.cv", name)
			assert.Contains(t, full.String(), "buffered I/O goes straight through", name)
		}
	}
}

func TestEverythingAsText(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteReport(&b, fixture(), View{Full: true}))
	golden(t, "result.full", b.Bytes())
}
