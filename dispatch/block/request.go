package block

import (
	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/param"
)

// PageSize is the size of a page of memory, in bytes, and PageSectors the same
// in sectors.
const (
	PageSize    = 4096
	PageSectors = PageSize / dispatch.SectorSize
)

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

// LimitsOf are those of a device's queue (scsi_alloc_queue). p has [Params]
// declared.
func LimitsOf(d *dispatch.Device, p *param.Set) Limits {
	t := d.Host.Template
	return Limits{
		MaxSectors: min(t.MaxSectors, 2*p.Int("block.max_sectors_kb")), MaxHWSectors: t.MaxSectors,
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

// request is a request that is still open to merges, or on its way.
type request struct {
	op          dispatch.Op
	dev         *dispatch.Device
	sector      int64
	sectors     int
	phys        int // segments as merging counts them: those of the bios, added
	passthrough bool
	noMerge     bool // a merge was refused once (REQ_NOMERGE)
	bios        []*Bio
	rq          *dispatch.Request // once it is on its way
	segments    int               // of the table, once it is on its way
	end         func(t *machine.Thread, err error)
	ringed      func(t *machine.Thread, err error) // end, for a plug with a ring
}

func (r *request) init(b *Bio) {
	r.op, r.dev, r.sector, r.sectors = b.Op, b.Device, b.Sector, b.sectors
	r.phys, r.passthrough, r.noMerge = b.count.segments, b.Passthrough, false
	r.bios = append(r.bios[:0], b)
	r.rq = nil
}

// finish tells every bio.
func (r *request) finish(t *machine.Thread, err error) {
	for _, b := range r.bios {
		if b.End != nil {
			b.End(t, err)
		}
	}
}

func (r *request) alike(op dispatch.Op, d *dispatch.Device, passthrough bool) bool {
	return !r.noMerge && r.op == op && r.dev == d && r.passthrough == passthrough
}

// back appends a bio that begins where the request ends
// (ll_back_merge_fn). The bio's segments are added as they are: a join that
// lies side by side costs a segment all the same at this stage.
func (r *request) back(l *Limits, b *Bio) bool {
	if !r.alike(b.Op, b.Device, b.Passthrough) || r.sector+int64(r.sectors) != b.Sector || !r.room(l, b.sectors, b.count.segments) {
		return false
	}
	r.bios = append(r.bios, b)
	r.grow(b)
	return true
}

// front puts a bio that ends where the request begins before it
// (ll_front_merge_fn).
func (r *request) front(l *Limits, b *Bio) bool {
	if !r.alike(b.Op, b.Device, b.Passthrough) || b.Sector+int64(b.sectors) != r.sector || !r.room(l, b.sectors, b.count.segments) {
		return false
	}
	r.bios = append(r.bios, nil)
	copy(r.bios[1:], r.bios)
	r.bios[0] = b
	r.sector = b.Sector
	r.grow(b)
	return true
}

// room reports whether so much more fits. Where it does not, the request is
// never asked again.
func (r *request) room(l *Limits, sectors, segments int) bool {
	if r.sectors+sectors > l.sectors(r.passthrough) || r.phys+segments > l.segments() {
		r.noMerge = true
		return false
	}
	return true
}

func (r *request) grow(b *Bio) {
	r.sectors += b.sectors
	r.phys += b.count.segments
}

// join appends a whole request that begins where this one ends
// (ll_merge_requests_fn): one segment less where the two lie side by side in
// memory.
func (r *request) join(l *Limits, n *request) bool {
	if !r.alike(n.op, n.dev, n.passthrough) || n.noMerge || r.sector+int64(r.sectors) != n.sector {
		return false
	}
	phys := r.phys + n.phys
	first, last := &n.bios[0].Vecs[0], r.tail()
	if l.adjoin(*last, *first) && r.tailSize()+n.headSize(l) <= l.MaxSegmentSize {
		phys--
	}
	if r.sectors+n.sectors > l.sectors(r.passthrough) || phys > l.segments() {
		return false
	}
	r.bios = append(r.bios, n.bios...)
	r.sectors += n.sectors
	r.phys = phys
	return true
}

func (r *request) tail() *Vec {
	v := r.bios[len(r.bios)-1].Vecs
	return &v[len(v)-1]
}

// tailSize is the size of the last segment, and headSize that of the first.
func (r *request) tailSize() int { return r.bios[len(r.bios)-1].count.size }

func (r *request) headSize(l *Limits) int {
	var c counter
	size := 0
	for _, v := range r.bios[0].Vecs {
		if c.add(l, v); c.segments > 1 {
			break
		}
		size = c.size
	}
	return size
}

// mapped counts the entries of the table that the request becomes
// (blk_rq_map_sg): joins between bios are found here, and so it is never more
// than merging counted.
func (r *request) mapped(l *Limits) int {
	var c counter
	for _, b := range r.bios {
		for _, v := range b.Vecs {
			c.add(l, v)
		}
	}
	return c.segments
}
