package ffsb

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/dispatch/lld"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	_ "hostlock/strategies"
	"hostlock/workload"
)

// TestBufferedIO: with a page cache sequential reads come in larger commands
// than the program's, writes come later, and nothing is on its way at the end.
func TestBufferedIO(t *testing.T) {
	run := func(profile string, cache bool) (commands, calls int64) {
		w, err := parse("test", []byte(profile))
		require.NoError(t, err)
		m, err := sim.New(sim.Config{Cores: 4, Costs: sim.DefaultCosts(), Seed: 1})
		require.NoError(t, err)
		p := param.New()
		d, err := dispatch.LookupDriver("ramdisk")
		require.NoError(t, err)
		p.Declare(dispatch.Params()...)
		p.Declare(d.Params...)
		p.Declare(w.Params()...)
		if cache {
			require.NoError(t, p.Set("fs.page_cache", "true"))
		}
		sys, err := dispatch.New(m, dispatch.Config{Strategy: "host-lock", Driver: "ramdisk", Params: p, Targets: 2})
		require.NoError(t, err)
		r, err := w.Start(workload.Env{Machine: m, System: sys, Params: p})
		require.NoError(t, err)
		_, err = m.Run(context.Background(), machine.Course{Duration: 200 * time.Millisecond,
			Begin: func() { sys.BeginWindow(); r.BeginWindow() }, End: func() { sys.EndWindow(); r.EndWindow() }})
		require.NoError(t, err)
		require.NoError(t, r.Err())
		l := sys.Ledger()
		require.Zero(t, l.Lost, "%+v", l)
		require.Len(t, sys.Window().PerIssuer, w.Threads(), "the flushers are none of the workload's threads")
		const straight = "buffered I/O goes straight to the device"
		require.Equal(t, !cache, strings.Contains(strings.Join(r.Notes(), "\n"), straight))
		require.NotContains(t, strings.Join(w.Warnings(), "\n"), straight)
		return sys.Window().Completed, r.Operations()[0].Value
	}
	reading := strings.Replace(readingProfile, "OP", "read_weight=1\nread_size=1m\nread_blocksize=4k", 1)
	direct, calls := run(reading, false)
	require.InDelta(t, calls, direct, 8, "one command a block")
	buffered, calls := run(reading, true)
	require.Less(t, 4*buffered, calls, "windows of up to 128 KiB")

	writing := strings.Replace(readingProfile, "OP", "write_weight=1\nwrite_size=64k\nwrite_blocksize=4k", 1)
	buffered, calls = run(writing, true)
	require.Positive(t, calls)
	require.Less(t, buffered, calls)
}

const readingProfile = `
num_filesystems=1
num_threadgroups=1
directio=0
alignio=1
time=10
[filesystem0]
location=/a
num_files=20
min_filesize=4m
max_filesize=4m
[end0]
[threadgroup0]
num_threads=4
OP
[end0]
`
