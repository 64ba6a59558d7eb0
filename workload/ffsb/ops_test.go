package ffsb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/workload/ffsb/profile"
)

// profileText is a profile of one file system of ten files and one thread.
func profileText(fileSize string, settings ...string) string {
	return fmt.Sprintf(`time=1
directio=1
[filesystem]
location=/mnt/a
num_files=10
min_filesize=%s
max_filesize=%s
[end]
[threadgroup]
num_threads=1
%s
[end]
`, fileSize, fileSize, strings.Join(settings, "\n"))
}

// The table of what each operation counts and moves in one call.
func TestTransactionsAndBytes(t *testing.T) {
	const k = 1024
	for _, c := range []struct {
		name         string
		op           profile.Op
		fileSize     string
		settings     []string
		transactions int64
		bytes        int64 // as FFSB counts them
		requests     int
		sectors      int // really moved
	}{
		{"read whole blocks", profile.OpRead, "1m", []string{"read_size=64k", "read_blocksize=16k"}, 4, 64 * k, 4, 128},
		{"read with a rest", profile.OpRead, "1m", []string{"read_size=20k", "read_blocksize=8k"}, 2, 20 * k, 3, 40},
		{"read at random", profile.OpRead, "1m", []string{"read_size=20k", "read_blocksize=8k", "read_random=1"}, 2, 20 * k, 2, 32},
		{"read with gaps", profile.OpRead, "1m", []string{"read_size=20k", "read_blocksize=8k", "read_skip=1", "read_skipsize=4k"}, 3, 20 * k, 3, 40},
		{"readall", profile.OpReadall, "64k", []string{"read_blocksize=8k"}, 8, 64 * k, 8, 128},
		{"readall with a rest", profile.OpReadall, "20k", []string{"read_blocksize=8k"}, 2, 20 * k, 3, 40},
		{"readall of less than a block", profile.OpReadall, "4k", []string{"read_blocksize=8k"}, 0, 4 * k, 1, 8},
		{"write whole blocks", profile.OpWrite, "1m", []string{"write_size=64k", "write_blocksize=16k"}, 4, 64 * k, 4, 128},
		{"write with a rest", profile.OpWrite, "1m", []string{"write_size=20k", "write_blocksize=8k"}, 3, 20 * k, 3, 40},
		{"write at random", profile.OpWrite, "1m", []string{"write_size=20k", "write_blocksize=8k", "write_random=1"}, 2, 20 * k, 2, 32},
		{"write_fsync", profile.OpWriteFsync, "1m", []string{"write_size=16k", "write_blocksize=8k"}, 2, 16 * k, 3, 32},
		{"writeall", profile.OpWriteall, "20k", []string{"write_blocksize=8k"}, 3, 20 * k, 3, 40},
		{"writeall_fsync", profile.OpWriteallFsync, "20k", []string{"write_blocksize=8k"}, 3, 20 * k, 4, 40},
		{"append", profile.OpAppend, "20k", []string{"write_size=20k", "write_blocksize=8k"}, 3, 20 * k, 3, 40},
		{"append_fsync", profile.OpAppendFsync, "20k", []string{"write_size=20k", "write_blocksize=8k"}, 3, 20 * k, 4, 40},
		{"create", profile.OpCreate, "20k", []string{"write_blocksize=8k"}, 3, 20 * k, 3, 40},
		{"create_fsync", profile.OpCreateFsync, "20k", []string{"write_blocksize=8k"}, 3, 20 * k, 4, 40},
		{"delete", profile.OpDelete, "20k", nil, 1, 0, 0, 0},
		{"stat", profile.OpStat, "20k", nil, 1, 0, 0, 0},
		{"open_close", profile.OpOpenClose, "20k", nil, 1, 0, 0, 0},
		{"createdir", profile.OpCreatedir, "20k", nil, 1, 0, 0, 0},
		{"metaop", profile.OpMetaop, "20k", nil, 1, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			const times = 5
			disks := newFakeDisks(1, 1<<20, 1024)
			text := profileText(c.fileSize, append(c.settings, c.op.String()+"_weight=1")...)
			_, got := perform(t, text, c.op, times, disks)
			assert.Equal(t, times*c.transactions, got.transactions)
			assert.Equal(t, times*c.bytes, got.bytes)
			assert.Len(t, disks.log, times*c.requests)
			sectors := 0
			for _, a := range disks.log {
				sectors += a.sectors
				want := dispatch.Write
				if c.op.Reads() {
					want = dispatch.Read
				}
				if a.sectors == 0 {
					want = dispatch.Flush
				}
				assert.Equal(t, want, a.op)
			}
			assert.Equal(t, times*c.sectors, sectors)
		})
	}
}

func TestPlacesOfBlocks(t *testing.T) {
	t.Run("one after the other, from an aligned place", func(t *testing.T) {
		disks := newFakeDisks(1, 1<<20, 1024)
		perform(t, profileText("1m", "read_weight=1", "read_size=64k", "read_blocksize=4k"), profile.OpRead, 20, disks)
		starts := map[int64]bool{}
		for i, a := range disks.log {
			if i%16 == 0 {
				starts[a.sector] = true
				require.Zero(t, a.sector%8)
				continue
			}
			require.Equal(t, disks.log[i-1].sector+8, a.sector)
		}
		require.Greater(t, len(starts), 10, "passes begin at random places")
	})
	t.Run("gaps from the beginning", func(t *testing.T) {
		disks := newFakeDisks(1, 1<<20, 1024)
		perform(t, profileText("1m", "read_weight=1", "read_size=20k", "read_blocksize=8k", "read_skip=1", "read_skipsize=4k"), profile.OpRead, 1, disks)
		first := disks.log[0].sector
		require.Zero(t, first%2048, "files of 1 MiB follow each other on an empty file system")
		require.Equal(t, []asked{{dispatch.Read, 0, first, 16}, {dispatch.Read, 0, first + 24, 16}, {dispatch.Read, 0, first + 48, 8}}, disks.log)
	})
	t.Run("at random in one file a call", func(t *testing.T) {
		disks := newFakeDisks(1, 1<<20, 1024)
		perform(t, profileText("1m", "write_weight=1", "write_size=64k", "write_blocksize=4k", "write_random=1"), profile.OpWrite, 10, disks)
		for i, a := range disks.log {
			require.Equal(t, disks.log[i/16*16].sector/2048, a.sector/2048, "request %d leaves its file", i)
			// FFSB never gets to the last block: its span is size - blocksize.
			require.NotEqual(t, int64(2040), a.sector%2048)
		}
	})
	t.Run("larger than the device takes", func(t *testing.T) {
		disks := newFakeDisks(1, 1<<20, 100)
		perform(t, profileText("1m", "writeall_weight=1", "write_blocksize=256k"), profile.OpWriteall, 1, disks)
		require.Len(t, disks.log, 4*6)
		require.Equal(t, 100, disks.log[0].sectors)
		require.Equal(t, 12, disks.log[5].sectors)
	})
	t.Run("in parts of a sector", func(t *testing.T) {
		disks := newFakeDisks(1, 1<<20, 100)
		text := strings.Replace(profileText("1000", "readall_weight=1", "read_blocksize=300"), "directio=1", "directio=0", 1)
		_, got := perform(t, text, profile.OpReadall, 1, disks)
		require.Equal(t, int64(3), got.transactions)
		at := disks.log[0].sector
		require.Equal(t, []asked{{dispatch.Read, 0, at, 1}, {dispatch.Read, 0, at, 2}, {dispatch.Read, 0, at + 1, 1}, {dispatch.Read, 0, at + 1, 1}}, disks.log)
	})
}

func TestAppendKeepsBlocksTogether(t *testing.T) {
	disks := newFakeDisks(1, 1<<20, 1024)
	text := strings.Replace(profileText("6k", "append_weight=1", "write_size=6k", "write_blocksize=6k"), "num_files=10", "num_files=1", 1)
	r, _ := perform(t, text, profile.OpAppend, 4, disks)
	f := r.fs[0].data.at(0)
	require.Equal(t, int64(30*1024), f.size)
	require.Equal(t, int64(8), f.blocks())
	require.Nil(t, f.more, "nothing else is there: one extent")
}

func TestDeletedSpaceComesBack(t *testing.T) {
	disks := newFakeDisks(1, 1<<20, 1024)
	r, _ := perform(t, profileText("20k", "delete_weight=1"), profile.OpDelete, 10, disks)
	require.Equal(t, r.fs[0].space.total, r.fs[0].space.free)
	require.Empty(t, r.fs[0].data.live)
	require.Len(t, r.fs[0].data.holes, 10)
}
