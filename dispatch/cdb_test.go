package dispatch

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCDBSaysWhatTheRequestSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rq := Request{
			Op:      Op(rapid.IntRange(0, 1).Draw(t, "op")),
			Sector:  rapid.Int64Range(0, 1<<40).Draw(t, "sector"),
			Sectors: rapid.IntRange(1, 1<<20).Draw(t, "sectors"),
		}
		rq.Cmd.Request = &rq
		rq.Cmd.buildCDB()
		op, sector, sectors, ok := DecodeCDB(&rq.Cmd.CDB)
		require.True(t, ok)
		require.Equal(t, rq.Op, op)
		require.Equal(t, rq.Sector, sector)
		require.Equal(t, rq.Sectors, sectors)
	})
	_, _, _, ok := DecodeCDB(&[16]byte{0x12})
	require.False(t, ok, "INQUIRY is not for a disk's data path")
}
