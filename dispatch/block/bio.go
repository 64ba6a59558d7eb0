package block

import (
	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/param"
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
	// Tag is which of a [Ring]'s operations the bio is a part of.
	Tag int
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

// Memory hands out physical pages in a given pattern.
type Memory struct {
	run  int // pages that lie side by side; 0: all of them
	next uint64
	left int
}

// Patterns of [Memory].
const (
	apart      = "apart"
	runs       = "runs"
	contiguous = "contiguous"
)

// Params declares what the block layer depends on.
func Params() []param.Spec {
	return []param.Spec{
		{Name: "block.pages", Kind: param.Choice, Default: apart, Choices: []string{apart, runs, contiguous},
			About: "how the pages of a buffer lie in memory: each one apart, in runs of block.run pages, or all side by side", Source: "a choice: the worst case, which the thread on larger scatter/gather lists is about"},
		{Name: "block.run", Kind: param.Int, Default: "8", Min: 1, Max: 1 << 16,
			About: "pages that lie side by side, with block.pages=runs", Source: "a choice"},
		{Name: "block.segment_limit", Kind: param.Choice, Default: "queue", Choices: []string{"queue", "none"},
			About: "whether requests are built within the queue's limits of segments; none makes requests that no table may hold", Source: "a choice: none shows what limits that do not compose lead to, with midlayer.oversize"},
		{Name: "block.max_sectors_kb", Kind: param.Int, Default: "512", Min: 4, Max: 1 << 20, Unit: "KiB",
			About: "the most that a file system's request has, whatever host.max_sectors lets a command have (max_sectors_kb in sysfs)", Source: "BLK_DEF_MAX_SECTORS 1024 [S20]"},
		{Name: "block.page_cpu", Kind: param.Duration, Default: "50ns",
			About: "processor time a page: bio_add_page, and its entry in the table", Source: "assumed: a few dozen instructions; no source gives it"},
	}
}

// NewMemory makes a source of pages as the parameters say.
func NewMemory(p *param.Set) *Memory {
	switch p.Choice("block.pages") {
	case contiguous:
		return &Memory{}
	case runs:
		return &Memory{run: p.Int("block.run")}
	}
	return &Memory{run: 1}
}

// memoryWrap keeps addresses below 4 GiB, in pages: 32-bit adapters reach
// them all.
const memoryWrap = 1 << 20

// Page is the physical address of a new page.
func (m *Memory) Page() uint64 {
	if m.left == 0 && m.run > 0 {
		m.left = m.run
		m.next++ // a hole
	}
	m.left--
	at := m.next % memoryWrap
	m.next++
	return at * PageSize
}

// Buffer begins a new buffer: what comes next does not lie behind what came
// before.
func (m *Memory) Buffer() {
	m.left = 0
	m.next++
}

// Back takes the last page back: the next Page is the same again.
func (m *Memory) Back() {
	m.left++
	m.next--
}

// counter counts the segments of a row of pieces, as they come
// (blk_recount_segments, blk_rq_map_sg).
type counter struct {
	segments int
	last     Vec // the piece added last
	size     int // bytes of the segment that it lies in
}

// add takes the next piece.
func (c *counter) add(l *Limits, v Vec) {
	if c.segments > 0 && l.adjoin(c.last, v) && c.size+v.Len <= l.MaxSegmentSize {
		c.size += v.Len
	} else {
		c.segments++
		c.size = v.Len
	}
	c.last = v
}

// adjoin reports whether two pieces may share a segment: clustering is on,
// they lie side by side, and no boundary lies between them.
func (l *Limits) adjoin(a, b Vec) bool {
	return l.Clustering && a.Addr+uint64(a.Len) == b.Addr &&
		a.Addr|l.Boundary == (b.Addr+uint64(b.Len)-1)|l.Boundary
}
