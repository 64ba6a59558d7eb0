package ffsb

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/workload/ffsb/profile"
)

func TestRangesOfStats(t *testing.T) {
	w := of(t, `time=1
[filesystem]
location=/a
num_files=1
[end]
[threadgroup]
num_threads=1
stat_weight=1
[stats]
enable_stats=1
enable_range=1
ignore=close
msec_range 0.3 9
msec_range 0.1 0.2
msec_range 0 0.1
[end]
[end]
`)
	s := newStats(&w.(*ffsb).conf.Groups[0].Stats)
	// FFSB tries the ranges in reverse order of the file, and both ends belong
	// to a range: 0.1 ms is in the first of the two that have it.
	for _, us := range []int{0, 99, 100, 101, 200, 201, 299, 300, 9000, 9001} {
		s.record(profile.SysStat, time.Duration(us)*time.Microsecond+999) // FFSB keeps whole microseconds
	}
	s.record(profile.SysClose, time.Millisecond)
	require.Equal(t, []int64{3, 2, 2}, s.bins[profile.SysStat])
	require.Equal(t, callStat{min: 0, max: 9001 * time.Microsecond, sum: 19301 * time.Microsecond, count: 10}, s.calls[profile.SysStat])
	require.Zero(t, s.calls[profile.SysClose].count)

	o := newStats(&w.(*ffsb).conf.Groups[0].Stats)
	o.record(profile.SysStat, 150*time.Microsecond)
	o.record(profile.SysOpen, 5*time.Microsecond)
	s.add(o)
	require.Equal(t, []int64{3, 3, 2}, s.bins[profile.SysStat])
	require.Equal(t, callStat{min: 5000, max: 5000, sum: 5000, count: 1}, s.calls[profile.SysOpen])
}

func TestNativeReport(t *testing.T) {
	w := builtin(t, "mailserver")
	r := bench{driver: "mptsas"}.run(t, w)
	var b strings.Builder
	require.NoError(t, r.NativeReport(&b, 20*time.Millisecond))
	text := b.String()
	for _, want := range []string{
		"Results:\nBenchmark took 0.02 sec\n",
		"Total Results\n",
		"             readall : ", "        create_fsync : ", "NA\n",
		" Transactions per Second\n", "Read Throughput: ", "Write Throughput: ",
		"[   read]\t", "[ create]\t", "msec_range[0]\t5.000000 - 1000.000000 : ",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "[  close]", "ignored")
	require.NotContains(t, text, "ThreadGroup")
	require.Equal(t, "1.02e+03KB/sec", rate(1023*1024+800, 1))
	require.Equal(t, "2.9MB/sec", rate(2*3040870, 2))
	require.Equal(t, "500B/sec", rate(500, 1))

	b.Reset()
	r = bench{}.run(t, builtin(t, "seqread"))
	require.NoError(t, r.NativeReport(&b, 20*time.Millisecond))
	require.Contains(t, b.String(), "ThreadGroup 1\n")
}
