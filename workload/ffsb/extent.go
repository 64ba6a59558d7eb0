package ffsb

import "sort"

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
func blocksFor(bytes int64) int64 { return (bytes + BlockSize - 1) / BlockSize }
