package block

import "hostlock/dispatch"

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
