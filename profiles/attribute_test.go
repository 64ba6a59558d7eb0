package profiles

import (
	"slices"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/machine"
	"hostlock/results"
)

// times gives shares as microseconds by name.
func times(shares []Share) map[string]int64 {
	m := map[string]int64{}
	for _, s := range shares {
		m[s.Name] = s.Time.Microseconds()
	}
	return m
}

func TestAttributionOfKnownShares(t *testing.T) {
	dir := t.TempDir()
	paths, err := WriteAccount(dir, fixture(1), fixtureInfo)
	require.NoError(t, err)
	got, err := AttributeFile(paths[KindCPU], Options{})
	require.NoError(t, err)

	require.Equal(t, fixtureBusy, got.Busy)
	require.False(t, got.Sampled)
	require.Empty(t, got.Notes)
	require.Equal(t, 30*time.Microsecond, got.HostLock.Time)
	require.InDelta(t, 100*30.0/fixtureMicros, got.HostLock.Pct, 1e-9)
	require.Zero(t, got.HostLock.StdErr)
	require.Equal(t, map[string]int64{
		results.DispatchCmd: 6, results.DeviceUnbusy: 5, results.RequestFn: 7, results.RunQueue: 8, results.Other: 4,
	}, times(got.ByFunction))
	require.Equal(t, 36*time.Microsecond, got.Contention.Time)
	require.Equal(t, map[string]int64{"host_lock": 30, "queue_lock": 2, "cache_line": 4}, times(got.ByClass))
	require.Equal(t, map[string]int64{
		"work": 141, "spin": 32, "line_wait": 3, "line_transfer": 2, "retry": 1, "switch": 2,
	}, times(got.ByWhat))
	require.Equal(t, []Share{
		got.share("fs_write", 100_000), got.share("queuecommand", 30_000), got.share(results.RequestFn, 10_000), got.share(results.DispatchCmd, 1_000),
	}, got.WorkBySection)
	require.Equal(t, "host_lock", got.ByClass[0].Name)
	require.InDelta(t, 100*7.0/fixtureMicros, share(got.ByFunction, results.RequestFn).Pct, 1e-9)
	require.Zero(t, share(got.ByFunction, "nothing").Pct)
}

// Without our labels, the stack alone must say the same: that is what a
// genuine profile has.
func TestStackAloneGivesTheSameTable(t *testing.T) {
	p, err := CPU(fixture(2), fixtureInfo)
	require.NoError(t, err)
	want, err := Attribute(p, Options{})
	require.NoError(t, err)
	for _, s := range p.Sample {
		s.Label = nil
	}
	got, err := Attribute(p, Options{})
	require.NoError(t, err)
	require.Equal(t, want.ByFunction, got.ByFunction)
	require.Equal(t, want.ByClass, got.ByClass)
	require.Equal(t, want.ByWhat, got.ByWhat)
}

func TestRoundTripKeepsShares(t *testing.T) {
	base := fixture(1)
	rapid.Check(t, func(rt *rapid.T) {
		a := *base
		a.Samples = append([]machine.Sample(nil), base.Samples...)
		var busy, host, contention time.Duration
		by := map[string]time.Duration{}
		for i := range a.Samples {
			s := &a.Samples[i]
			s.Time = time.Duration(rapid.Int64Range(0, 1e12).Draw(rt, "time"))
			s.Core = rapid.IntRange(-1, 3).Draw(rt, "core")
			if s.What == machine.Idle {
				continue
			}
			busy += s.Time
			if s.What.Contention() {
				contention += s.Time
			}
			if s.What == machine.Spinning && s.Class == "host_lock" {
				host += s.Time
				f := results.Other
				for _, sec := range s.Path {
					if slices.Contains(results.Functions, sec) {
						f = sec
					}
				}
				by[f] += s.Time
			}
		}
		if busy == 0 {
			return
		}
		p, err := CPU(&a, fixtureInfo)
		require.NoError(rt, err)
		q, err := profile.ParseData(encode(rt, p))
		require.NoError(rt, err)
		got, err := Attribute(q, Options{})
		require.NoError(rt, err)
		require.Equal(rt, busy, got.Busy)
		require.Equal(rt, host, got.HostLock.Time)
		require.Equal(rt, contention, got.Contention.Time)
		for _, f := range append(slices.Clone(results.Functions), results.Other) {
			require.Equal(rt, by[f], share(got.ByFunction, f).Time)
		}
	})
}

// live makes a profile such as runtime/pprof writes, of stacks of function
// names, leaf first, of one sample each.
func live(stacks ...[]string) *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:     10_000_000,
	}
	for _, st := range stacks {
		s := &profile.Sample{Value: []int64{1, 10_000_000}}
		for _, name := range st {
			f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
			l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}}
			p.Function = append(p.Function, f)
			p.Location = append(p.Location, l)
			s.Location = append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

var (
	lockFrames = []string{"hostlock/machine.(*SpinLock).spinTAS", "hostlock/machine.(*SpinLock).spin", "hostlock/machine.(*SpinLock).lockLive", "hostlock/machine.(*SpinLock).lockSlow"}
	inRequest  = []string{"hostlock/strategies.(*hostLock).Next", "hostlock/dispatch.(*Host).RequestFn", "hostlock/dispatch.(*Host).RunQueue"}
	inUnbusy   = []string{"hostlock/dispatch.(*Host).DeviceUnbusy", "hostlock/dispatch.(*Host).done.func2"}
)

func join(parts ...[]string) (all []string) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func TestLiveProfileFromItsStacks(t *testing.T) {
	p := live(
		// The load that is inlined into the spin function shows as its own leaf.
		join([]string{"sync/atomic.(*Uint32).Load"}, lockFrames, inRequest),
		join(lockFrames, inUnbusy),
		join(lockFrames, []string{"hostlock/workload/ffsb.(*file).write"}),
		join([]string{"hostlock/machine.burn", "hostlock/machine.(*Live).burn"}, inRequest),
		// Timing a hold is no contention, nor is taking a free mutex.
		join(lockFrames[2:], inRequest),
		join([]string{"sync.(*Mutex).TryLock", "hostlock/machine.(*SpinLock).lockMutex"}, inRequest),
		join([]string{"internal/sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock", "hostlock/machine.(*SpinLock).lockMutex"}, inRequest),
		join([]string{"runtime.nanotime", "hostlock/machine.(*Thread).relaxLive", "hostlock/machine.(*Thread).Relax"}, inUnbusy),
		[]string{"hostlock/machine.idlePoll", "hostlock/machine.(*poller).run"},
		[]string{"runtime.nanotime", "hostlock/machine.(*poller).run"},
	)
	got, err := Attribute(p, Options{})
	require.NoError(t, err)
	tick := 10 * time.Millisecond
	require.True(t, got.Sampled)
	require.Equal(t, 8*tick, got.Busy)
	require.Equal(t, 2*tick, got.Idle)
	require.EqualValues(t, 8, got.Samples)
	require.Equal(t, 4*tick, got.HostLock.Time)
	require.InDelta(t, StdErr(50, 8), got.HostLock.StdErr, 1e-9)
	require.Equal(t, map[string]int64{
		results.DispatchCmd: 0, results.DeviceUnbusy: 10_000, results.RequestFn: 20_000, results.RunQueue: 0, results.Other: 10_000,
	}, times(got.ByFunction))
	require.Equal(t, map[string]int64{"host_lock": 40_000, "cache_line": 10_000}, times(got.ByClass))
	require.Equal(t, []string{`no sample has a label "lock": all spinning is taken as on host_lock`}, got.Notes)

	all, err := Attribute(p, Options{CountIdlePolling: true})
	require.NoError(t, err)
	require.Equal(t, 10*tick, all.Busy)

	// One label, and the rest can no longer be guessed.
	p.Sample[1].Label = map[string][]string{LabelLock: {"queue_lock"}}
	got, err = Attribute(p, Options{})
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"host_lock": 0, "queue_lock": 10_000, "unlabelled": 30_000, "cache_line": 10_000}, times(got.ByClass))
	got, err = Attribute(p, Options{UnlabelledClass: "host_lock"})
	require.NoError(t, err)
	require.Equal(t, 3*tick, got.HostLock.Time)
}

func TestSectionLabelServesWhereTheStackSaysNothing(t *testing.T) {
	p := live(join(lockFrames, []string{"x.y"}), join(lockFrames, inUnbusy))
	for _, s := range p.Sample {
		s.Label = map[string][]string{LabelSection: {results.RunQueue}, LabelLock: {"host_lock"}}
	}
	got, err := Attribute(p, Options{})
	require.NoError(t, err)
	require.Equal(t, int64(10_000), times(got.ByFunction)[results.RunQueue])
	require.Equal(t, int64(10_000), times(got.ByFunction)[results.DeviceUnbusy], "the stack has the better word")
}

func TestPathOf(t *testing.T) {
	for name, want := range map[string]string{
		"hostlock/dispatch.(*Host).RequestFn":       results.RequestFn,
		"hostlock/dispatch.(*Host).RequestFn.func1": results.RequestFn,
		"hostlock/dispatch.(*Host).RunQueue-fm":     results.RunQueue,
		"example.org/x.DispatchCmd[...]":            results.DispatchCmd,
		"hostlock/dispatch.(*Host).DeviceUnbusy.1":  results.DeviceUnbusy,
		"hostlock/dispatch.(*RequestFnTable).Get":   "",
		"hostlock/results.RequestFn/x.Do":           "",
		"":                                          "", ".": "", "RequestFn/": "",
	} {
		require.Equal(t, want, pathOf(name), name)
	}
}

func TestAttributeSaysWhatIsWrong(t *testing.T) {
	two := live([]string{"a.b"}, []string{"a.c"})
	for name, c := range map[string]struct {
		p    *profile.Profile
		want string
	}{
		"empty":    {live(), "no samples"},
		"no types": {&profile.Profile{}, "its sample types are none; legal is cpu/nanoseconds"},
		"heap":     {&profile.Profile{SampleType: []*profile.ValueType{{Type: "inuse_space", Unit: "bytes"}}}, "inuse_space/bytes; legal"},
		"negative": {func() *profile.Profile { p := two.Copy(); p.Sample[0].Value[1] = -1; return p }(), "difference of two profiles"},
		"overflow": {func() *profile.Profile { p := two.Copy(); p.Sample[0].Value[1] = 1<<63 - 1; return p }(), "overflows"},
		"counts":   {func() *profile.Profile { p := two.Copy(); p.Sample[0].Value[0] = 1<<63 - 1; return p }(), "counts overflow"},
		"idle":     {live([]string{"hostlock/machine.idlePoll"}), "idle pollers took all of it"},
		"zero":     {func() *profile.Profile { p := live([]string{"a.b"}); p.Sample[0].Value[1] = 0; return p }(), "add up to no CPU time"},
	} {
		_, err := Attribute(c.p, Options{})
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "\n", name)
	}
}

func TestOtherUnitsOfTime(t *testing.T) {
	p := live([]string{"a.b"})
	p.SampleType[1].Unit = "microseconds"
	got, err := Attribute(p, Options{})
	require.NoError(t, err)
	require.Equal(t, 10*time.Second, got.Busy)
}

func FuzzAttribute(f *testing.F) {
	for _, p := range []*profile.Profile{live(join(lockFrames, inRequest)), live()} {
		f.Add(encode(f, p))
	}
	if p, err := CPU(fixture(1), fixtureInfo); err == nil {
		f.Add(encode(f, p))
	}
	f.Add([]byte("--- contention:\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := profile.ParseData(data)
		if err != nil {
			return
		}
		a, err := Attribute(p, Options{})
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.Positive(t, a.Busy)
		require.LessOrEqual(t, a.HostLock.Time, a.Contention.Time)
		require.LessOrEqual(t, a.Contention.Time, a.Busy)
	})
}
