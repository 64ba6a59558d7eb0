package profiles

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// runPprof runs `go tool pprof` where there is one, and returns what it prints.
func runPprof(t *testing.T, args ...string) string {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	if testing.Short() {
		t.Skip("the first use builds pprof")
	}
	cmd := exec.Command(goTool, append([]string{"tool", "pprof"}, args...)...)
	cmd.Env = append(os.Environ(), "GOPROXY=off", "PPROF_TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func TestPprofReadsWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	paths, err := WriteAccount(dir, fixture(4), fixtureInfo)
	require.NoError(t, err)
	cpu, contention := paths[KindCPU], paths[KindContention]
	require.Equal(t, filepath.Join(dir, "chen-2010_fixture_4c.cpu.pb.gz"), cpu)

	top := runPprof(t, "-top", cpu)
	require.NotContains(t, top, "not available", "no program is looked for to symbolise from")
	require.Contains(t, top, "strategy=fixture")
	require.Contains(t, top, figuresExact)
	require.Regexp(t, `\n +120us 16\.57% .* spin:host_lock\n`, top)
	require.Regexp(t, `spin:queue_lock\n`, top)

	peek := runPprof(t, "-peek", "RequestFn", cpu)
	require.Regexp(t, `\(\*host\)\.RunQueue\n.*\| hostlock/profiles\.\(\*host\)\.RequestFn\n.*\(\*host\)\.DispatchCmd\n`, peek)

	tags := runPprof(t, "-tags", cpu)
	for _, want := range []string{"core: Total", ": 0\n", ": 3\n", "scsi_request_fn", "host_lock", "line_wait", "fixture"} {
		require.Contains(t, tags, want)
	}

	focus := runPprof(t, "-top", "-tagfocus=section=scsi_dispatch_cmd", cpu)
	require.Contains(t, focus, "Showing nodes accounting for 4us")
	require.NotContains(t, focus, "matched no samples")
	require.Contains(t, runPprof(t, "-top", "-tagfocus=core=0", cpu), "accounting for 181us, 25.00%")

	for _, index := range []string{"wait", "blocked", "hold", "contentions"} {
		leaf := "spin:host_lock"
		if index == "blocked" || index == "hold" {
			leaf = "hold:host_lock"
		}
		require.Contains(t, runPprof(t, "-top", "-sample_index="+index, contention), leaf)
	}
	require.Contains(t, runPprof(t, "-top", contention), "Type: wait")
}

func TestPprofTellsTwoRunsApart(t *testing.T) {
	dir := t.TempDir()
	before, err := WriteAccount(dir, fixture(4), fixtureInfo)
	require.NoError(t, err)
	a := fixture(4)
	for i := range a.Samples {
		if a.Samples[i].What == machine.Spinning {
			a.Samples[i].Time /= 2
		}
	}
	info := fixtureInfo
	info.Strategy = "fixed"
	after, err := WriteAccount(dir, a, info)
	require.NoError(t, err)

	diff := runPprof(t, "-top", "-diff_base="+before[KindCPU], after[KindCPU])
	require.Regexp(t, `\n +-60us .* spin:host_lock\n`, diff)
	require.NotRegexp(t, `\n +[-1-9][^\n]* hostlock/profiles\.\(\*host\)\.write\n`, diff, "what did not change has no difference of its own")

	// Written by pprof itself, the file still gives the same table.
	merged := filepath.Join(dir, "merged.pb.gz")
	runPprof(t, "-proto", "-output="+merged, before[KindCPU], before[KindCPU])
	got, err := AttributeFile(merged, Options{})
	require.NoError(t, err)
	require.Equal(t, 2*4*fixtureBusy, got.Busy)
	require.Equal(t, 8*30*time.Microsecond, got.HostLock.Time)
	require.False(t, got.Sampled)
	require.Equal(t, "fixture", got.Info.Strategy)

	differ := filepath.Join(dir, "diff.pb.gz")
	runPprof(t, "-proto", "-output="+differ, "-diff_base="+before[KindCPU], after[KindCPU])
	_, err = AttributeFile(differ, Options{})
	require.ErrorContains(t, err, "difference of two profiles")
	require.ErrorContains(t, err, differ)
}
