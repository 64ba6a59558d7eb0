package block

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// Vec is a piece of one page (struct bio_vec).
type Vec struct {
	Addr uint64 // physical
	Len  int    // bytes
}

// Bio is one thing to move between neighbouring sectors and pieces of memory
// (struct bio).
type Bio struct {
	Op     dispatch.Op
	Device *dispatch.Device
	Sector int64
	Vecs   []Vec
	// Passthrough marks what a program made itself, for sg (BLOCK_PC): the
	// host's own limit of sectors counts, and not the block layer's.
	Passthrough bool
	// End is called once, where the request is finished, by whoever finishes
	// it: usually in the softirq. It must not wait.
	End func(t *machine.Thread, err error)
	// Pages are the cache's pages of the bio, for who made it.
	Pages []int64

	count   counter // of the segments of Vecs
	sectors int
}

// maxVecs bounds a bio (BIO_MAX_PAGES).
const maxVecs = 256

// Reset empties a bio for its next use.
func (b *Bio) Reset(op dispatch.Op, d *dispatch.Device, sector int64) {
	*b = Bio{Op: op, Device: d, Sector: sector, Vecs: b.Vecs[:0], Pages: b.Pages[:0]}
}

// Sectors is how many the bio moves.
func (b *Bio) Sectors() int { return b.sectors }

// AddPage appends a piece of a page, or reports that the bio is full
// (bio_add_page): the caller submits it and begins another.
func (b *Bio) AddPage(l *Limits, v Vec) bool {
	sectors := v.Len / dispatch.SectorSize
	if len(b.Vecs) >= maxVecs || b.sectors+sectors > l.sectors(b.Passthrough) {
		return false
	}
	c := b.count
	c.add(l, v)
	if c.segments > l.segments() {
		return false
	}
	b.count = c
	b.Vecs = append(b.Vecs, v)
	b.sectors += sectors
	return true
}

// PageSize is the size of a page of memory, in bytes, and PageSectors the same
// in sectors.
const (
	PageSize    = 4096
	PageSectors = PageSize / dispatch.SectorSize
)

// maxSectors is what a file system's request may have at most whatever the
// host takes, in sectors of 512 bytes (BLK_DEF_MAX_SECTORS) [S20].
const maxSectors = 1024

// Limits are a request queue's.
type Limits struct {
	MaxSectors      int    // of a file system's request, 512 bytes each
	MaxHWSectors    int    // of a request that a program made itself (BLOCK_PC)
	MaxPhysSegments int    // runs of memory that the mid-layer's table has room for
	MaxHWSegments   int    // and the adapter's (sg_tablesize)
	MaxSegmentSize  int    // bytes
	Boundary        uint64 // mask that no segment may cross (dma_boundary)
	Clustering      bool   // neighbouring pages may share a segment
}

// LimitsOf are those of a device's queue (scsi_alloc_queue).
func LimitsOf(d *dispatch.Device) Limits {
	t := d.Host.Template
	return Limits{
		MaxSectors: min(t.MaxSectors, maxSectors), MaxHWSectors: t.MaxSectors,
		MaxPhysSegments: d.Host.MaxPhysSegments, MaxHWSegments: t.SGTableSize,
		MaxSegmentSize: t.MaxSegmentSize, Boundary: t.DMABoundary, Clustering: t.UseClustering,
	}
}

// segments is the smaller of the two limits: without an IOMMU a hw segment is
// a phys segment.
func (l *Limits) segments() int { return min(l.MaxPhysSegments, l.MaxHWSegments) }

// sectors is how many a bio's or a request's kind may have.
func (l *Limits) sectors(passthrough bool) int {
	if passthrough {
		return l.MaxHWSectors
	}
	return l.MaxSectors
}
