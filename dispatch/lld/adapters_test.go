package lld

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine/param"
)

// TestFrames holds the counts against what the frames' sizes give: 7 further
// frames of 64 bytes hold 28 elements of 16 bytes, 37 of 12, 56 of 8.
func TestFrames(t *testing.T) {
	for _, c := range []struct {
		kind   string
		dcdb   bool
		n, out int
	}{
		{"ieee", true, 1, 1}, {"ieee", true, 2, 2}, {"ieee", true, 29, 8}, {"ieee", true, 30, 9},
		{"sge64", true, 1, 1}, {"sge64", true, 38, 8}, {"sge64", true, 39, 9}, {"sge64", false, 2, 1},
		{"sge32", false, 3, 1}, {"sge32", false, 59, 8}, {"sge32", false, 60, 9}, {"sge64", true, 255, 49},
	} {
		k := sgeSizes[c.kind]
		first := k.ldio
		if c.dcdb {
			first = k.dcdb
		}
		require.Equal(t, c.out, mfiFrames(c.n, k.bytes, first), "%+v", c)
	}
}

// TestMegasasTemplate is what the driver makes of what its firmware says.
func TestMegasasTemplate(t *testing.T) {
	for _, c := range []struct {
		set                      map[string]string
		sg, canQueue, maxSectors int
	}{
		{nil, 80, 967, 640},
		{map[string]string{"megasas.max_sge": "255", "megasas.max_cmds": "2048"}, 255, 2015, 2040},
		{map[string]string{"megasas.max_sge": "8", "megasas.clamp": "false"}, 8, 967, 5376},
		{map[string]string{"megasas.max_cmds": "1", "megasas.max_sge": "1"}, 1, 1, 8},
	} {
		d, err := dispatch.LookupDriver("megasas")
		require.NoError(t, err)
		p := param.New()
		p.Declare(d.Params...)
		for k, v := range c.set {
			require.NoError(t, p.Set(k, v))
		}
		ht := d.Template
		require.NoError(t, d.Configure(&ht, p))
		require.Equal(t, []int{c.sg, c.canQueue, c.maxSectors}, []int{ht.SGTableSize, ht.CanQueue, ht.MaxSectors}, "%v", c.set)
	}
	for _, bad := range []string{"megasas.max_sge=0", "megasas.max_sge=256", "megasas.max_cmds=2049", "megasas.max_cmds=0"} {
		d, _ := dispatch.LookupDriver("megasas")
		p := param.New()
		p.Declare(d.Params...)
		name, value := bad[:len("megasas.max_sge")], bad[len("megasas.max_sge")+1:]
		if bad[8:16] == "max_cmds" {
			name, value = "megasas.max_cmds", bad[len("megasas.max_cmds")+1:]
		}
		require.ErrorContains(t, p.Set(name, value), "legal: 1 to ", bad)
	}
}

// TestArray: a write costs a + b x size; reads are fetched in whole units, each
// once, and forgotten when they have been read to their end.
func TestArray(t *testing.T) {
	a := array{writeBase: 10 * time.Millisecond, writePerMB: 4e6, readBase: 6 * time.Millisecond, readPerMB: 3e6, unit: mib}
	lun := &tier{}
	need := func(op dispatch.Op, sector int64, sectors int) time.Duration {
		return a.need(lun, &dispatch.Request{Op: op, Sector: sector, Sectors: sectors})
	}
	require.Equal(t, 12*time.Millisecond, need(dispatch.Write, 0, mib/2))
	require.Zero(t, need(dispatch.Flush, 0, 0))
	require.Equal(t, 9*time.Millisecond, need(dispatch.Read, 0, mib/2), "a whole unit for half of one")
	require.Zero(t, need(dispatch.Read, mib/2, mib/2), "the other half is there")
	require.Equal(t, 9*time.Millisecond, need(dispatch.Read, 0, mib/2), "and gone")
	require.Equal(t, 18*time.Millisecond, need(dispatch.Read, 8*mib, 4*mib))
	require.Equal(t, 12*time.Millisecond, need(dispatch.Read, 20*mib+8, mib), "it lies across two")
	for i := range int64(2 * keptUnits) {
		need(dispatch.Read, (100+i)*mib, 8)
	}
	require.LessOrEqual(t, len(lun.units), keptUnits)
	a.unit = 0
	require.Equal(t, 7500*time.Microsecond, need(dispatch.Read, 0, mib/2))
}
