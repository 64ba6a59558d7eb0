package ffsb

import (
	"math/bits"
	"sort"
)

// BlockSize is the file systems' unit of allocation, in bytes.
const BlockSize = 4096

const sectorsPerBlock = BlockSize / sectorSize

// extent is a run of a file's blocks that lie one after the other.
type extent struct {
	logical uint32 // first block in the file
	start   uint32 // first block in the file system
	blocks  uint32
}

// layout is where a file's blocks are. Most files have one extent, which needs
// no memory of its own.
type layout struct {
	first extent
	more  *[]extent // the later ones, in order; nil where there is none
}

// blocks is how many there are.
func (l *layout) blocks() int64 {
	last := l.last()
	return int64(last.logical) + int64(last.blocks)
}

func (l *layout) last() *extent {
	if l.more != nil {
		return &(*l.more)[len(*l.more)-1]
	}
	return &l.first
}

// add appends a run of blocks, as part of the last extent where it follows it.
func (l *layout) add(start, blocks uint32) {
	last := l.last()
	switch {
	case last.blocks == 0:
		*last = extent{start: start, blocks: blocks}
	case last.start+last.blocks == start:
		last.blocks += blocks
	default:
		next := extent{logical: last.logical + last.blocks, start: start, blocks: blocks}
		if l.more == nil {
			l.more = new([]extent)
		}
		*l.more = append(*l.more, next)
	}
}

// at is the extent that has a block of the file; the block must be there.
func (l *layout) at(block uint32) extent {
	if block < l.first.blocks {
		return l.first
	}
	more := *l.more
	i := sort.Search(len(more), func(i int) bool { return more[i].logical > block })
	return more[i-1]
}

// each calls fn for every extent, in order.
func (l *layout) each(fn func(extent)) {
	if l.first.blocks > 0 {
		fn(l.first)
	}
	if l.more != nil {
		for _, e := range *l.more {
			fn(e)
		}
	}
}

// blocksFor is how many blocks hold so many bytes.
func blocksFor(bytes int64) int64 { return bytes/BlockSize + min(bytes%BlockSize, 1) }

// space is which blocks of a file system are free. It is divided into groups,
// as ext4's is; a group that is wholly free or wholly used has no bitmap, so
// that an empty terabyte costs a few kilobytes.
//
// Allocation goes on where the last one ended, takes the free runs that it
// comes by, and starts over at the end: the same calls always get the same
// blocks.
type space struct {
	groups []blockGroup
	total  int64
	free   int64
	next   int64 // where the search goes on
}

// blockGroup is groupBlocks blocks; a set bit is a used block.
type blockGroup struct {
	free int32
	used *[groupWords]uint64 // nil where all or none are free
}

const (
	groupWords  = 512
	groupBlocks = groupWords * 64 // 128 MiB, as in ext4
)

func newSpace(blocks int64) *space {
	s := &space{groups: make([]blockGroup, (blocks+groupBlocks-1)/groupBlocks), total: blocks, free: blocks}
	for i := range s.groups {
		s.groups[i].free = int32(min(groupBlocks, blocks-int64(i)*groupBlocks))
	}
	return s
}

// size is how many blocks the group has: the last one may be shorter.
func (s *space) size(g int64) int32 {
	return int32(min(groupBlocks, s.total-g*groupBlocks))
}

// util is the share of blocks in use, as statvfs tells it to FFSB.
func (s *space) util() float64 { return float64(s.total-s.free) / float64(s.total) }

// take gives a file more blocks, behind its last one where that is free. It
// reports false, and gives nothing, where there are not enough.
func (s *space) take(l *layout, blocks int64) bool {
	if blocks > s.free {
		return false
	}
	if last := l.last(); last.blocks > 0 {
		at := int64(last.start) + int64(last.blocks)
		if n := s.run(at, blocks); n > 0 {
			s.mark(at, n)
			l.add(uint32(at), uint32(n))
			blocks -= n
		}
	}
	for blocks > 0 {
		at := s.find(s.next)
		if at < 0 {
			at = s.find(0)
		}
		n := s.run(at, blocks)
		s.mark(at, n)
		l.add(uint32(at), uint32(n))
		blocks -= n
		s.next = at + n
	}
	return true
}

// find is the first free block from a place on, or -1.
func (s *space) find(from int64) int64 {
	for from < s.total {
		g := from / groupBlocks
		switch grp := &s.groups[g]; {
		case grp.free == 0:
		case grp.used == nil:
			return from
		default:
			for w, bit := from%groupBlocks/64, from%64; w < groupWords; w, bit = w+1, 0 {
				open := ^grp.used[w] &^ (1<<bit - 1)
				if open != 0 {
					at := g*groupBlocks + w*64 + int64(bits.TrailingZeros64(open))
					if at < s.total {
						return at
					}
					return -1
				}
			}
		}
		from = (g + 1) * groupBlocks
	}
	return -1
}

// run is how many blocks are free from a place on, up to most.
func (s *space) run(from, most int64) int64 {
	most = min(most, s.total-from)
	n := int64(0)
	for n < most {
		at := from + n
		g := at / groupBlocks
		switch grp := &s.groups[g]; {
		case grp.free == 0:
			return n
		case grp.used == nil:
			n += groupBlocks - at%groupBlocks
		default:
			shift := at % 64
			taken := grp.used[at%groupBlocks/64] >> shift
			if taken != 0 {
				return min(n+int64(bits.TrailingZeros64(taken)), most)
			}
			n += 64 - shift
		}
	}
	return min(n, most)
}

// mark uses blocks that are free, and give frees blocks that are in use.
func (s *space) mark(at, n int64) { s.flip(at, n, true) }
func (s *space) give(at, n int64) { s.flip(at, n, false) }

func (s *space) flip(at, n int64, use bool) {
	if use {
		s.free -= n
	} else {
		s.free += n
	}
	for n > 0 {
		g := at / groupBlocks
		in := at % groupBlocks
		k := min(n, groupBlocks-in)
		s.groups[g].flip(in, k, use, s.size(g))
		at, n = at+k, n-k
	}
}

func (g *blockGroup) flip(at, n int64, use bool, size int32) {
	if g.used == nil && n < int64(size) {
		g.used = new([groupWords]uint64)
		if g.free == 0 {
			for i := range g.used {
				g.used[i] = ^uint64(0)
			}
		}
	}
	if use {
		g.free -= int32(n)
	} else {
		g.free += int32(n)
	}
	if g.free == 0 || g.free == size {
		g.used = nil
		return
	}
	for n > 0 {
		bit := at % 64
		k := min(n, 64-bit)
		mask := (^uint64(0) >> (64 - k)) << bit
		if use {
			g.used[at/64] |= mask
		} else {
			g.used[at/64] &^= mask
		}
		at, n = at+k, n-k
	}
}
