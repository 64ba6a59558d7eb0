package ffsb

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever files come, grow and go: no block belongs to two of them, none lies
// outside, and the books close.
func TestExtentsNeverOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.OneOf(rapid.Int64Range(1, 300), rapid.Int64Range(groupBlocks-70, 3*groupBlocks+70)).Draw(t, "blocks")
		s := newSpace(total)
		owner := make([]int32, total) // 0 is free
		var files []*layout
		for step := range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(files) == 0 || rapid.Bool().Draw(t, "new") {
				files = append(files, new(layout))
			}
			i := rapid.IntRange(0, len(files)-1).Draw(t, "file")
			l := files[i]
			id := int32(i + 1)
			if rapid.IntRange(0, 2).Draw(t, "do") == 0 {
				l.each(func(e extent) {
					s.give(int64(e.start), int64(e.blocks))
					for b := e.start; b < e.start+e.blocks; b++ {
						owner[b] = 0
					}
				})
				*l = layout{}
			} else {
				n := rapid.OneOf(rapid.Int64Range(1, 70), rapid.Int64Range(1, total)).Draw(t, "blocks")
				had, free := l.blocks(), s.free
				ok := s.take(l, n)
				require.Equal(t, n <= free, ok, "step %d", step)
				if ok {
					require.Equal(t, had+n, l.blocks())
				}
				next := uint32(0)
				l.each(func(e extent) {
					require.Equal(t, next, e.logical)
					next += e.blocks
					require.LessOrEqual(t, int64(e.start)+int64(e.blocks), total)
					for b := e.start; b < e.start+e.blocks; b++ {
						if owner[b] != 0 && owner[b] != id {
							t.Fatalf("block %d has two owners, %d and %d", b, owner[b], id)
						}
						owner[b] = id
					}
				})
			}
			used := int64(0)
			for b, o := range owner {
				if o != 0 {
					used++
				}
				// The books must say the same of single blocks, too.
				if total <= 300 {
					if free := s.run(int64(b), 1) == 1; free != (o == 0) {
						t.Fatalf("block %d: free is %v, its owner %d", b, free, o)
					}
				}
			}
			require.Equal(t, total-used, s.free)
		}
		for i, l := range files {
			for b := range uint32(l.blocks()) {
				e := l.at(b)
				if got := owner[e.start+b-e.logical]; got != int32(i+1) {
					t.Fatalf("block %d of file %d is %d's", b, i+1, got)
				}
			}
		}
	})
}

func TestSpaceWithoutBitmaps(t *testing.T) {
	s := newSpace(10 * groupBlocks)
	var big layout
	require.True(t, s.take(&big, 10*groupBlocks))
	require.False(t, s.take(new(layout), 1))
	require.Nil(t, big.more, "an empty file system gives one extent")
	for i := range s.groups {
		require.Nil(t, s.groups[i].used, "a full group needs no bitmap")
	}
	s.give(0, 10*groupBlocks)
	require.InDelta(t, 0, s.util(), 0)
}

func BenchmarkSpace(b *testing.B) {
	s := newSpace(1 << 24)
	files := make([]layout, 1<<16)
	for i := range b.N {
		l := &files[i%len(files)]
		l.each(func(e extent) { s.give(int64(e.start), int64(e.blocks)) })
		*l = layout{}
		s.take(l, int64(1+i%100))
	}
}
