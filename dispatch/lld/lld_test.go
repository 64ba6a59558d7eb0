package lld

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestChainFrames(t *testing.T) {
	for _, c := range []struct{ segments, frames int }{{0, 0}, {1, 0}, {6, 0}, {7, 1}, {15, 1}, {16, 2}, {24, 2}, {25, 3}, {128, 14}} {
		require.Equal(t, c.frames, chainFrames(c.segments), "%d segments", c.segments)
	}
}

// TestDisk compares a disk with plain memory, over the edges of extents and
// regions.
func TestDisk(t *testing.T) {
	const sectors = (regionSize + 2*extentSize) / 512
	plain := make([]byte, sectors*512)
	d := newDisk(sectors)
	rapid.Check(t, func(t *rapid.T) {
		around := rapid.SampledFrom([]int64{0, extentSize, regionSize, regionSize + extentSize}).Draw(t, "around")
		at := min(max(around+512*rapid.Int64Range(-40, 40).Draw(t, "offset"), 0), sectors*512-64*512)
		data := make([]byte, 512*rapid.IntRange(1, 64).Draw(t, "sectors"))
		write := rapid.Bool().Draw(t, "write")
		if write {
			for i := range data {
				data[i] = byte(rapid.IntRange(0, 255).Draw(t, "byte")) + byte(i)
				if i%97 != 0 {
					data[i] = data[i/97*97] + byte(i)
				}
			}
			copy(plain[at:], data)
		}
		for off := 0; off < len(data); {
			off += d.move(write, at+int64(off), data[off:])
		}
		if !write && !bytes.Equal(plain[at:at+int64(len(data))], data) {
			t.Fatalf("read at %d differs", at)
		}
	})
}
