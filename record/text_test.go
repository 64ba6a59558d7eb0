package record

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/record/read"
	"hostlock/record/rt"
)

// process is one with a lock that two sites take, and another lock.
func process() *read.Process {
	site := func(name string, line int, kind uint32, acquisitions, hold uint64, locks ...uint64) read.Site {
		s := read.Site{Acquisitions: acquisitions, Frames: []read.Frame{{Function: "sync.(*Mutex).Lock", File: "/go/mutex.go", Line: 1}, {Function: name, File: "/x/a.go", Line: line}}}
		s.Kind, s.Samples, s.Weight, s.HoldNs = kind, 100, 100, 100*hold
		s.Hold[rt.Bucket(int64(hold))] = 100
		s.Split[rt.Running], s.Split[rt.Lock] = 50*hold, 50*hold
		for _, addr := range locks {
			n := uint64(100 / len(locks))
			s.Locks = append(s.Locks, rt.Instance{Addr: addr, Samples: n, Weight: n, HoldNs: n * hold})
		}
		return s
	}
	p := &read.Process{Pid: 1, Procs: 2, Seconds: 1, CPU: 1e9, PlainNs: 10, SampledNs: 100, Command: "x"}
	p.Sites = []read.Site{
		site("main.get", 10, rt.Mutex, 100_000, 4000, 64),
		site("main.set", 20, rt.Mutex, 100_000, 5000, 64),
		site("main.other", 30, rt.Mutex, 1000, 1000, 128, 192),
		site("sync.hostlockMeasure", 40, rt.Own, 1000, 1000, 64),
	}
	p.Sites[0].Contended, p.Sites[0].WaitNs = 10, 1000
	p.Sites[0].Nested[0].Site, p.Sites[0].Nested[0].Ns = 3, 200_000
	return p
}

func TestBuildAddsUpALock(t *testing.T) {
	r := Build([]*read.Process{process()})
	r.Note()
	require.Len(t, r.Locks, 3, "the recorder's own is left out")
	first := r.Locks[0]
	// 0.1 M x 4 us + 0.1 M x 5 us a second
	assert.InDelta(t, 90, *first.HottestUtilizationPct, 0.01)
	assert.Equal(t, "main.set a.go:20", first.Lock, "the site that holds longest leads")
	assert.Equal(t, r.Locks[0].Lock, r.Locks[1].Lock)
	assert.Equal(t, 2, r.Locks[2].Instances)
	assert.InDelta(t, 0.05, *r.Locks[2].HottestUtilizationPct, 1e-6, "half of its holds each")
	assert.Contains(t, r.Words, "limit")
	require.NotNil(t, r.OverheadPct)
	// 201000 x 10 ns, and 300 samples x 90 ns, over the rest of a second
	assert.InDelta(t, 100*0.002037/(1-0.002037), *r.OverheadPct, 1e-9)
}

// A mean of which a few long holds make the most is known as well as those are.
func TestTheMeanHoldHasAnError(t *testing.T) {
	p := process()
	s := &p.Sites[1]
	r := Build([]*read.Process{p})
	assert.Zero(t, *r.Locks[0].HoldErrorPct, "each sample stands for itself")
	// A million holds of some 100 ns, of which one sample, for a hundred, had 10 ms.
	s.Acquisitions, s.Weight, s.Samples, s.Hold = 1_000_000, 1_000_000, 10_000, [rt.Buckets]uint64{}
	s.Hold[rt.Bucket(100)], s.Hold[rt.Bucket(1e7)] = 999_900, 100
	s.HoldNs = 999_900*100 + 100*1e7
	r = Build([]*read.Process{p})
	r.Note()
	l := r.Locks[slices.IndexFunc(r.Locks, func(l Lock) bool { return l.Function == "main.set" })]
	// One sample of 1e9 ns among 1.1e9.
	assert.InDelta(t, 91, *l.HoldErrorPct, 12, "a bucket is an eighth wide to either side")
	assert.NotEmpty(t, l.Notes)
}

// Of a thousand locks, each of which came up once in a sample that stands for a
// hundred, none is known to have been taken more than once.
func TestFewSamplesOfALockAreALowerBound(t *testing.T) {
	p := process()
	s := &p.Sites[2]
	s.Acquisitions, s.Samples, s.Weight, s.HoldNs, s.Locks = 100_000, 1000, 100_000, 100_000*1e6, nil
	for i := range uint64(1000) {
		s.Locks = append(s.Locks, rt.Instance{Addr: 1024 + 64*i, Samples: 1, Weight: 100, HoldNs: 100 * 1e6})
	}
	r := Build([]*read.Process{p})
	r.Note()
	l := r.Locks[slices.IndexFunc(r.Locks, func(l Lock) bool { return l.Function == "main.other" })]
	assert.InDelta(t, 0.1, *l.HottestUtilizationPct, 1e-9, "1 ms of a second")
	assert.True(t, l.HottestAtLeast)
	assert.Nil(t, l.HottestSharePct)
	// One that came up often enough is told, beside the others.
	s.Locks[0].Samples, s.Locks[0].Weight, s.Locks[0].HoldNs = 64, 6400, 6400*1e5
	r = Build([]*read.Process{p})
	l = r.Locks[slices.IndexFunc(r.Locks, func(l Lock) bool { return l.Function == "main.other" })]
	assert.InDelta(t, 64, *l.HottestUtilizationPct, 1e-9)
	assert.False(t, l.HottestAtLeast)
	// Nothing is held for more than all of the time.
	s.Locks[0].HoldNs *= 10
	r = Build([]*read.Process{p})
	assert.InDelta(t, 100, *r.Locks[0].HottestUtilizationPct, 1e-9)
}

func TestBuildMergesProcesses(t *testing.T) {
	r := Build([]*read.Process{process(), process()})
	require.Len(t, r.Locks, 3)
	assert.EqualValues(t, 200_000, r.Locks[0].Acquisitions)
	assert.InDelta(t, 90, *r.Locks[0].HottestUtilizationPct, 0.01, "a process has locks of its own")
}

func TestRecordIsPrintedWhole(t *testing.T) {
	r := Build([]*read.Process{process()})
	r.Note()
	var b bytes.Buffer
	require.NoError(t, r.JSON(&b))
	var keys map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &keys))
	for _, k := range []string{"command", "go", "procs", "seconds", "cpu_s", "sampling", "overhead_pct", "locks", "stretch"} {
		if k != "go" {
			assert.Contains(t, keys, k)
		}
	}
	lock := keys["locks"].([]any)[0].(map[string]any)
	for _, k := range []string{"site", "kind", "instances", "acquisitions", "contended", "read_acquisitions", "hold_ns", "wait_ns", "hottest_utilization_pct", "hold_split_pct", "hold_same_p_ns", "hold_other_p_ns"} {
		assert.Contains(t, lock, k)
	}
	b.Reset()
	require.NoError(t, r.Profile(&b))
	p, err := profile.Parse(&b)
	require.NoError(t, err)
	require.Len(t, p.Sample, 3)
	var hold int64
	for _, s := range p.Sample {
		hold += s.Value[3]
		assert.NotContains(t, s.Location[0].Line[0].Function.Name, "sync.")
	}
	assert.EqualValues(t, 901_000_000, hold)
}

func TestStretchSaysWhatTheSlopeIs(t *testing.T) {
	s := Stretch{Site: "x", Factor: 2, RateRatio: 0.6, Low: 0.59, High: 0.61, ControlRatio: 0.95, ControlLow: 0.9, ControlHigh: 1, ContendedPct: 50, AddedPct: 80}
	bounds := s.words()
	s.ContendedPct = 0
	nobody := s.words()
	s.ContendedPct, s.ControlLow = 50, 0.6
	same := s.words()
	s.RateRatio, s.Low, s.High = 1, 0.98, 1.01
	none := s.words()
	s.Low, s.High = 0.6, 1.3
	noise := s.words()
	s.AddedPct = 0.02
	least := s.words()
	all := map[string]bool{bounds: true, nobody: true, same: true, none: true, noise: true, least: true}
	assert.Len(t, all, 6, "six answers")
	assert.Contains(t, none, "not your problem")
	assert.Contains(t, least, "not your problem", "noise is not a slope of a lock that is hardly held")
}

// Rows of one name are added up, quantiles too: a function that is inlined has
// a call for each of its callers.
func TestCallsOfOneNameAreOneRow(t *testing.T) {
	p := process()
	p.Sites[1].Frames = p.Sites[0].Frames
	r := Build([]*read.Process{p})
	require.Len(t, r.Locks, 2)
	l := r.Locks[0]
	assert.EqualValues(t, 200_000, l.Acquisitions)
	assert.InDelta(t, 4500, l.Hold.Mean, 1e-9)
	assert.InDelta(t, 4000, l.Hold.P50, 600, "a bucket is an eighth wide to either side")
	assert.InDelta(t, 5000, l.Hold.P99, 600)
	assert.Equal(t, 1, l.Instances, "both take the same lock")
	assert.InDelta(t, 90, *l.HottestUtilizationPct, 1e-9)
}

// A lock is named by a writer where it has one, and the table has no types.
func TestNamesOfSites(t *testing.T) {
	p := process()
	p.Sites[0].Kind, p.Sites[1].Kind, p.Sites[0].Acquisitions = rt.Write, rt.Read, 10
	r := Build([]*read.Process{p})
	for _, l := range r.Locks {
		if l.Function != "main.other" {
			assert.Equal(t, "main.get a.go:10", l.Lock, "though readers hold it longer")
		}
	}
	assert.Equal(t, "v2.(*Cache[]).Add lru.go:81 (b.(*T[]).Lock)", label(Lock{Site: "x/y/v2.(*Cache[go.shape.int,a/b.C[d/e.F]]).Add lru.go:81", Via: "a/b.(*T[c/d.E]).Lock"}))
}
