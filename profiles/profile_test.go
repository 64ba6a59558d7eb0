package profiles

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/machine"
	"hostlock/results"
)

func encode(t require.TestingT, p *profile.Profile) []byte {
	var buf bytes.Buffer
	require.NoError(t, Write(&buf, p))
	return buf.Bytes()
}

// names lists the functions on a sample's stack, leaf first.
func names(s *profile.Sample) []string {
	var all []string
	for _, l := range s.Location {
		for _, line := range l.Line {
			all = append(all, line.Function.Name)
		}
	}
	return all
}

func find(t *testing.T, p *profile.Profile, what, section, lock string) *profile.Sample {
	t.Helper()
	for _, s := range p.Sample {
		if label(s, LabelWhat) == what && label(s, LabelSection) == section && label(s, LabelLock) == lock {
			return s
		}
	}
	require.Failf(t, "no such sample", "%s in %s of %q", what, section, lock)
	return nil
}

func TestStacksReadFromWorkloadToWait(t *testing.T) {
	p, err := CPU(fixture(2), fixtureInfo)
	require.NoError(t, err)

	const pkg = "hostlock/profiles."
	s := find(t, p, "spin", results.RequestFn, "host_lock")
	require.Equal(t, []string{
		"spin:host_lock",
		"hostlock/machine.(*SpinLock).Lock",
		pkg + "(*host).takeHostLock",
		pkg + "(*host).RequestFn",
		pkg + "(*host).RunQueue",
		pkg + "(*host).write",
		pkg + "fixture.func1",
	}, names(s))
	// The compiler inlines Lock, but not under the race detector. It has a
	// location of its own either way, or the two builds would differ.
	require.Len(t, s.Location, len(names(s)))
	require.Equal(t, []string{"fixture"}, s.Label[LabelStrategy])
	require.Equal(t, []string{"fs_write/scsi_run_queue/scsi_request_fn"}, s.Label[LabelPath])
	require.Equal(t, []int64{0}, s.NumLabel[LabelCore])

	work := find(t, p, "work", "queuecommand", "")
	require.Equal(t, pkg+"(*host).DispatchCmd.func1", names(work)[0], "work stays with the function that does it")

	// The outermost of a retry's frames is real, the wait is named.
	retry := find(t, p, "retry", results.DeviceUnbusy, "")
	require.Equal(t, []string{"retry:ring_tail", "hostlock/machine.(*Word).CAS", pkg + "(*host).DeviceUnbusy"}, names(retry)[:3])
	require.Equal(t, []string{"ring_tail"}, retry.Label[LabelLine])

	sw := find(t, p, "switch", "", "")
	require.Equal(t, []string{"switch"}, names(sw))
}

func TestNothingInTheFileSaysWhereItWasMade(t *testing.T) {
	p, err := CPU(fixture(2), fixtureInfo)
	require.NoError(t, err)
	var raw bytes.Buffer
	require.NoError(t, p.WriteUncompressed(&raw))
	wd, err := os.Getwd()
	require.NoError(t, err)
	for _, bad := range []string{wd, filepath.Dir(wd), runtime.GOROOT(), "machine/sim"} {
		if bad != "" {
			require.NotContains(t, raw.String(), bad)
		}
	}
	require.Zero(t, p.TimeNanos)
	require.Equal(t, int64(fixtureBusy+20*time.Microsecond), p.DurationNanos)
	for _, f := range p.Function {
		if f.Filename != "" {
			require.False(t, filepath.IsAbs(f.Filename), f.Filename)
			require.True(t, strings.HasPrefix(f.Filename, "hostlock/"), f.Filename)
		}
	}
	gz := encode(t, p)
	require.Equal(t, []byte{0, 0, 0, 0}, gz[4:8], "the gzip header carries no time")
}

func TestEqualInputEqualBytes(t *testing.T) {
	make2 := func(procs int) (cpu, contention []byte) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		a := fixture(8)
		p, err := CPU(a, fixtureInfo)
		require.NoError(t, err)
		c, err := Contention(a, fixtureInfo)
		require.NoError(t, err)
		return encode(t, p), encode(t, c)
	}
	cpu, contention := make2(1)
	for _, procs := range []int{1, 2, 4} {
		cpu2, contention2 := make2(procs)
		require.Equal(t, cpu, cpu2)
		require.Equal(t, contention, contention2)
	}
}

func TestOrderOfTheAccountDoesNotMatter(t *testing.T) {
	a := fixture(3)
	p, err := CPU(a, fixtureInfo)
	require.NoError(t, err)
	want := encode(t, p)
	rapid.Check(t, func(rt *rapid.T) {
		b := *a
		b.Samples = rapid.Permutation(a.Samples).Draw(rt, "samples")
		p, err := CPU(&b, fixtureInfo)
		require.NoError(rt, err)
		require.Equal(rt, want, encode(rt, p))
	})
}

func TestContentionChargesWaiterAndHolder(t *testing.T) {
	p, err := Contention(fixture(1), fixtureInfo)
	require.NoError(t, err)
	var types []string
	for _, st := range p.SampleType {
		types = append(types, st.Type+"/"+st.Unit)
	}
	require.Equal(t, []string{"contentions/count", "wait/nanoseconds", "blocked/nanoseconds", "hold/nanoseconds"}, types)
	sum := make([]int64, 4)
	for _, s := range p.Sample {
		for i, v := range s.Value {
			sum[i] += v
		}
	}
	us := int64(time.Microsecond)
	// Six waits for locks, one for a line, one retry; six holds of 2 us.
	require.Equal(t, []int64{8, 36 * us, 16 * us, 12 * us}, sum)

	hold := find(t, p, "hold", results.RunQueue, "host_lock")
	require.Equal(t, []int64{0, 0, 4 * us, 2 * us}, hold.Value)
	require.Equal(t, []string{"hold:host_lock", "hostlock/machine.(*SpinLock).Lock"}, names(hold)[:2])

	_, err = Attribute(p, Options{})
	require.EqualError(t, err, "not a CPU profile: its sample types are contentions/count, wait/nanoseconds, blocked/nanoseconds, hold/nanoseconds; legal is cpu/nanoseconds (or microseconds, milliseconds, seconds)")
}

func TestBrokenAccountsAreRefused(t *testing.T) {
	for _, s := range []machine.Sample{{Time: -1}, {Hold: -1}, {What: machine.WhatCount}} {
		a := &machine.Account{Samples: []machine.Sample{s}}
		_, err := CPU(a, Info{})
		require.ErrorContains(t, err, "sample 0 of the account")
		_, err = Contention(a, Info{})
		require.Error(t, err)
	}
}

func TestCoresAddedUpHaveNoCore(t *testing.T) {
	a := fixture(2)
	for i := range a.Samples {
		a.Samples[i].Core = -1
	}
	p, err := CPU(a, fixtureInfo)
	require.NoError(t, err)
	for _, s := range p.Sample {
		require.Empty(t, s.NumLabel)
	}
	got, err := Attribute(p, Options{})
	require.NoError(t, err)
	require.Equal(t, 2*fixtureBusy, got.Busy)
}

func TestInfoComesBack(t *testing.T) {
	p, err := CPU(fixture(1), fixtureInfo)
	require.NoError(t, err)
	q, err := profile.ParseData(encode(t, p))
	require.NoError(t, err)
	got, ok := ReadInfo(q)
	require.True(t, ok)
	want := fixtureInfo
	want.Figures = figuresExact
	require.Equal(t, want, got)

	_, ok = ReadInfo(&profile.Profile{Comments: []string{"strategy: not ours"}})
	require.False(t, ok)
}

func TestSourceFile(t *testing.T) {
	for _, c := range []struct{ function, file, want string }{
		{"hostlock/dispatch.(*Host).RequestFn", "/home/u/x/dispatch/request.go", "hostlock/dispatch/request.go"},
		{"hostlock/dispatch.(*Host).RequestFn", `C:\src\dispatch\request.go`, "hostlock/dispatch/request.go"},
		{"hostlock/m.(*Ring[go.shape.*hostlock/d.X]).Put", "/a/m/ring.go", "hostlock/m/ring.go"},
		{"gopkg.in/yaml%2ev3.Unmarshal", "/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/yaml.go", "gopkg.in/yaml.v3/yaml.go"},
		{"main.main", "/a/cmd/lab/main.go", "main/main.go"},
		{"x/y_test.TestZ", "/a/y/z_test.go", "x/y/z_test.go"},
		{"runtime.goexit", "", ""},
	} {
		require.Equal(t, c.want, sourceFile(c.function, c.file))
	}
}
