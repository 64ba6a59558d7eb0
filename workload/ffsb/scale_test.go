package ffsb

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/workload/ffsb/profile"
)

func conf(t testing.TB, name string) *profile.Profile { return builtin(t, name).(*ffsb).conf }

func numThreads(p *profile.Profile) (n []int) {
	for i := range p.Groups {
		n = append(n, p.Groups[i].NumThreads.V)
	}
	return n
}

func TestScaleOfHeadline(t *testing.T) {
	for _, c := range []struct {
		factor      float64
		filesystems int
		files       int // in each
		threads     int
	}{
		{1, 16, 8, 128}, {4, 64, 8, 512}, {0.25, 4, 8, 32}, {2, 32, 8, 256},
		{1.5, 24, 8, 192}, {1. / 16, 1, 8, 8}, {1. / 128, 1, 1, 1}, {1. / 3, 5, 9, 45},
	} {
		p, err := scaled(conf(t, "headline"), c.factor)
		require.NoError(t, err)
		require.Len(t, p.Filesystems, c.filesystems, "at %g", c.factor)
		require.Equal(t, c.threads, p.TotalThreads(), "at %g", c.factor)
		bound := map[int]int{}
		for i := range p.Groups {
			bound[p.Groups[i].BindFS.V] += p.Groups[i].NumThreads.V
		}
		for i := range p.Filesystems {
			require.Equal(t, c.files, p.Filesystems[i].NumFiles.V)
			require.Equal(t, c.threads/c.filesystems, bound[i], "threads on file system %d", i)
		}
	}
	require.Len(t, conf(t, "headline").Filesystems, 16, "the profile itself stays as it is")
	require.Equal(t, 128, conf(t, "headline").TotalThreads())
}

func TestScaleWithoutBinding(t *testing.T) {
	p, err := scaled(conf(t, "mailserver"), 4)
	require.NoError(t, err)
	require.Len(t, p.Filesystems, 4)
	require.Equal(t, []int{64}, numThreads(p))
	require.Equal(t, 20000, p.Filesystems[3].NumFiles.V)
	require.Equal(t, "/var/spool, copy 4", p.Filesystems[3].Location.V)

	p, err = scaled(conf(t, "mailserver"), 0.25)
	require.NoError(t, err)
	require.Len(t, p.Filesystems, 1)
	require.Equal(t, []int{4}, numThreads(p))
	require.Equal(t, 5000, p.Filesystems[0].NumFiles.V)
}

func TestScaleThatLeavesNobody(t *testing.T) {
	w := of(t, `time=1
[filesystem]
location=/a
num_files=1
[end]
[filesystem]
location=/b
num_files=1
[end]
[threadgroup]
num_threads=1
bindfs=/b
stat_weight=1
[end]
`)
	_, err := scaled(w.(*ffsb).conf, 0.5)
	require.ErrorContains(t, err, "test.ffsb: at scale 0.5 no file system is left that a group is bound to")
}

func TestSpreadThreads(t *testing.T) {
	groups := func(n ...int) []profile.ThreadGroup {
		g := make([]profile.ThreadGroup, len(n))
		for i := range n {
			g[i].NumThreads.V = n[i]
		}
		return g
	}
	for _, c := range []struct {
		have  []int
		total int
		want  []int
	}{
		{[]int{8, 8, 8, 8}, 8, []int{2, 2, 2, 2}},
		{[]int{1, 3}, 8, []int{2, 6}},
		{[]int{1, 1, 1}, 4, []int{2, 1, 1}},
		{[]int{10, 1}, 5, []int{5, 0}},
		{[]int{4, 0}, 6, []int{6, 0}},
	} {
		g := groups(c.have...)
		spread(g, c.total)
		require.Equal(t, c.want, numThreads(&profile.Profile{Groups: g}), "%v to %d", c.have, c.total)
	}
	rapid.Check(t, func(t *rapid.T) {
		g := groups(rapid.SliceOfN(rapid.IntRange(1, 100), 1, 20).Draw(t, "groups")...)
		total := rapid.IntRange(1, 5000).Draw(t, "total")
		spread(g, total)
		require.Equal(t, total, (&profile.Profile{Groups: g}).TotalThreads())
	})
}

func TestThreadsAndScaleOfARun(t *testing.T) {
	w := builtin(t, "headline")
	require.Equal(t, 128, bench{luns: 16, duration: time.Millisecond}.run(t, w).Threads())
	require.Equal(t, 32, bench{luns: 16, threads: 32, duration: time.Millisecond}.run(t, w).Threads())
	require.Equal(t, 32, bench{luns: 4, scale: 0.25, duration: time.Millisecond}.run(t, w).Threads())
	require.Equal(t, 16, bench{luns: 4, scale: 0.25, threads: 16, duration: time.Millisecond}.run(t, w).Threads())
	for _, b := range []bench{{scale: -1}, {scale: 1e9}, {threads: -1}} {
		_, _, err := b.defaults().load(t, w)
		require.ErrorContains(t, err, "legal:")
	}
}
