package imports

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// waiting is a profile as Go writes it: delays by the stack that released.
func waiting(t testing.TB, kind, method string) []byte {
	t.Helper()
	fn := []*profile.Function{{ID: 1, Name: method, Filename: "/go/src/sync/mutex.go"}, {ID: 2, Name: "example/cache.(*C).Get", Filename: "/x/cache.go"}, {ID: 3, Name: "runtime.chanrecv1", Filename: "/go/chan.go"}}
	loc := []*profile.Location{{ID: 1, Line: []profile.Line{{Function: fn[0], Line: 9}}}, {ID: 2, Line: []profile.Line{{Function: fn[1], Line: 42}}}, {ID: 3, Line: []profile.Line{{Function: fn[2], Line: 7}}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: kind, Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
		Function:   fn, Location: loc, DurationNanos: 2e9,
		Sample: []*profile.Sample{{Location: loc[:2], Value: []int64{10, 4e9}}, {Location: []*profile.Location{loc[2], loc[1]}, Value: []int64{99, 9e9}}},
	}
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.Bytes()
}

const lockStatText = `lock_stat version 0.4
-----------------------------------------------------------------------------
                              class name    con-bounces    contentions   waittime-min   waittime-max waittime-total   waittime-avg    acq-bounces   acquisitions   holdtime-min   holdtime-max holdtime-total   holdtime-avg
-----------------------------------------------------------------------------

                         &rq->lock:            13128          13128           0.43         190.53      103881.26           7.91          97454        3453404           0.00         401.11    13224683.11           3.82
                         ---------
                         &rq->lock              645          [<ffffffff8103bfc4>] task_rq_lock+0x43/0x75
                   &mm->mmap_sem-W:              84             84           0.26         939.10       16371.53         194.90          47291        2922365           0.16     2220301.69 17464026916.32        5975.99
`

func TestWaitsAreRead(t *testing.T) {
	for method, source := range map[string]string{"sync.(*Mutex).Unlock": "mutex profile", "sync.(*RWMutex).RLock": "block profile"} {
		r, err := Parse(waiting(t, "contentions", method), Frame{})
		require.NoError(t, err)
		assert.Equal(t, source, r.Source)
		require.Len(t, r.Locks, 1, "a channel is no lock")
		l := r.Locks[0]
		assert.Equal(t, "example/cache.(*C).Get cache.go:42", l.Site)
		assert.EqualValues(t, 10, l.Contended)
		assert.InDelta(t, 4e8, l.Wait.Mean, 1)
		assert.Nil(t, l.Hold, "a profile has no holds")
		assert.NotEmpty(t, r.Unknown)
		assert.InDelta(t, 2, r.Seconds, 1e-9)
	}
}

func TestLockStatIsRead(t *testing.T) {
	r, err := Parse([]byte(lockStatText), Frame{Seconds: 10})
	require.NoError(t, err)
	require.Len(t, r.Locks, 2)
	assert.Equal(t, "&rq->lock", r.Locks[0].Site)
	assert.EqualValues(t, 3453404, r.Locks[0].Acquisitions)
	assert.InDelta(t, 3830, r.Locks[0].Hold.Mean, 10, "as its own average has it, in ns")
	assert.InDelta(t, 7910, r.Locks[0].Wait.Mean, 10)
	assert.Equal(t, "rwmutex", r.Locks[1].Kind)
	_, err = Parse([]byte(strings.Replace(lockStatText, "190.53", "many", 1)), Frame{})
	assert.ErrorAs(t, err, new(*FormatError))
}

func TestBenchmarksAreRead(t *testing.T) {
	r, err := Parse([]byte("BenchmarkGet     100  50.0 ns/op\nBenchmarkGet-4  100  200 ns/op\nBenchmarkSet-2 10 10 ns/op\n"), Frame{})
	require.NoError(t, err)
	assert.Contains(t, r.Words, "BenchmarkGet")
	assert.Equal(t, 4, r.Procs)
	assert.Empty(t, r.Locks)
}

func TestWrongFilesAreOneLine(t *testing.T) {
	dir := t.TempDir()
	whole := waiting(t, "contentions", "sync.(*Mutex).Unlock")
	for name, text := range map[string][]byte{
		"empty": nil, "blank": []byte("\n \n"), "text": []byte("hello\nworld\n"), "half": whole[:len(whole)/2],
		"other": waiting(t, "allocations", "sync.(*Mutex).Unlock"), "bench": []byte("ns/op is what it says\n"),
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, text, 0o644))
		_, err := File(path, Frame{})
		var format *FormatError
		require.ErrorAs(t, err, &format, name)
		assert.NotContains(t, err.Error(), "\n")
		assert.Contains(t, err.Error(), path)
	}
	_, err := File(filepath.Join(dir, "absent"), Frame{})
	assert.ErrorAs(t, err, new(*FormatError))
	huge := filepath.Join(dir, "huge")
	require.NoError(t, os.WriteFile(huge, nil, 0o644))
	require.NoError(t, os.Truncate(huge, limit+1))
	_, err = File(huge, Frame{})
	assert.ErrorAs(t, err, new(*FormatError))
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(lockStatText))
	f.Add([]byte("BenchmarkGet-4  100  200 ns/op\n"))
	f.Add(waiting(f, "contentions", "sync.(*Mutex).Unlock"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse(text, Frame{})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("more than one line: %q", err)
			}
			return
		}
		// What was read can be printed, whatever it is.
		if err := r.JSON(new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
		if err := r.Text(new(bytes.Buffer), true); err != nil {
			t.Fatal(err)
		}
	})
}
