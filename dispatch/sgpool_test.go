package dispatch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine/param"
)

func sgSet(t *testing.T, set map[string]string) *param.Set {
	t.Helper()
	p := param.New()
	p.Declare(Params()...)
	for k, v := range set {
		require.NoError(t, p.Set(k, v))
	}
	return p
}

func TestSGPoolSizes(t *testing.T) {
	for _, c := range []struct {
		set   map[string]string
		sizes []int
		of    map[int]int // entries: pool
	}{
		{map[string]string{"midlayer.sg": "pools"}, []int{8, 16, 32, 64, 128}, map[int]int{1: 8, 8: 8, 9: 16, 33: 64, 128: 128}},
		{map[string]string{"midlayer.sg": "pools", "midlayer.max_phys_segments": "32"}, []int{8, 16, 32}, map[int]int{17: 32}},
		{map[string]string{"midlayer.sg": "pools", "midlayer.max_phys_segments": "256"}, []int{8, 16, 32, 64, 128, 256}, map[int]int{129: 256, 256: 256}},
		{map[string]string{"midlayer.sg": "pools", "midlayer.large_sg": "true"}, []int{8, 16, 32, 64, 128, 256, 512, 1024}, map[int]int{257: 512, 512: 512, 513: 1024, 1024: 1024}},
		{nil, []int{8, 16, 32, 64, 128}, map[int]int{128: 128, 2048: 128}},
	} {
		s, err := newSGTables(sgSet(t, c.set))
		require.NoError(t, err)
		var sizes []int
		for i := range s.pools {
			sizes = append(sizes, s.pools[i].size)
		}
		require.Equal(t, c.sizes, sizes)
		for n, want := range c.of {
			require.Equal(t, want, s.poolOf(n).size, "%d entries", n)
		}
	}
}

// TestChains: tables of 128 entries, all but the last of which spend one on
// the link.
func TestChains(t *testing.T) {
	s, err := newSGTables(sgSet(t, nil))
	require.NoError(t, err)
	for n, want := range map[int]int{1: 1, 128: 1, 129: 2, 255: 2, 256: 3, 382: 3, 383: 4, 2048: 17} {
		require.Equal(t, want, s.tables(n), "%d entries", n)
	}
}

func TestSGLimitsThatNoKernelHas(t *testing.T) {
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{map[string]string{"midlayer.sg": "pools", "midlayer.max_phys_segments": "512"}, "legal: a power of 2, 32 to 256 (1024 with midlayer.large_sg=true)"},
		{map[string]string{"midlayer.sg": "pools", "midlayer.max_phys_segments": "100"}, "legal: a power of 2"},
		{map[string]string{"midlayer.sg": "pools", "midlayer.max_phys_segments": "16"}, "legal: a power of 2, 32 to "},
		{map[string]string{"midlayer.sg": "pools", "midlayer.large_sg": "true", "midlayer.max_phys_segments": "2048"}, "legal: a power of 2, 32 to 1024"},
	} {
		_, err := newSGTables(sgSet(t, c.set))
		require.ErrorContains(t, err, c.want)
	}
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{map[string]string{"host.sg_tablesize": "2049"}, "sg_tablesize 2049; legal: 1 to 2048"},
		{map[string]string{"midlayer.sg": "pools", "host.sg_tablesize": "257"}, "legal: 1 to 256 with midlayer.sg=pools"},
		{map[string]string{"midlayer.sg": "pools", "midlayer.large_sg": "true", "host.sg_tablesize": "1025"}, "legal: 1 to 1024 with midlayer.large_sg=true"},
		{map[string]string{"host.can_queue": "16", "host.cmd_per_lun": "17"}, "host.cmd_per_lun=17 is above can_queue, which is 16; legal: 1 to 16"},
	} {
		p := sgSet(t, c.set)
		ht := HostTemplate{CanQueue: 16, CmdPerLUN: 64, SGTableSize: 128}.withParams(p)
		require.ErrorContains(t, ht.check(p), c.want)
	}
	p := sgSet(t, nil)
	ht := HostTemplate{CanQueue: 16, CmdPerLUN: 64, SGTableSize: 128}.withParams(p)
	require.NoError(t, ht.check(p), "a driver's own depth may be larger: can_queue is what counts")
}
