package fio

import "math/rand/v2"

// chooser says where a clone's next operation is.
type chooser struct {
	c     *clone
	r     *rand.Rand
	files []cursor
	live  int // files with something left in this pass
	file  int // at hand
	left  int // operations on it before the next one is chosen
	rank  *ranks
	inRow int // operations before the next random offset
	unit  int64
}

// cursor is where a clone is in one file.
type cursor struct {
	last  [2]int64 // end of the last operation of a direction
	begin [2]int64 // and its beginning
	used  *blockMap
	order *permutation // the same for large files, without a map
	rank  [2]*ranks
	done  bool
}

func newChooser(c *clone, r *rand.Rand) *chooser {
	h := &chooser{c: c, r: r, files: make([]cursor, len(c.regions)), unit: c.smallest()}
	if s := c.service; s.kind != "roundrobin" && s.kind != "sequential" {
		h.rank = newRanks(s, int64(len(h.files)), r)
	}
	for i := range h.files {
		f := &h.files[i]
		span := c.regions[i].span
		if c.random && c.dist.kind == "random" && !c.norandommap && c.align == [2]int64{} {
			switch n := span / h.unit; {
			case n <= smallMap || !c.oneSize() && n <= maxMap:
				f.used = newBlockMap(n)
			case c.oneSize():
				f.order = newPermutation(n, r)
			}
		}
		for d := range f.rank {
			if k := c.dist.kind; c.does[d] && (k == "zipf" || k == "pareto" || k == "normal") {
				f.rank[d] = newRanks(c.dist, max(span/h.step(d), 1), r)
			}
		}
	}
	h.again()
	return h
}

// step is what random offsets of a direction are multiples of.
func (h *chooser) step(d int) int64 {
	if a := h.c.align[d]; a > 0 {
		return a
	}
	return h.c.bs[d].lo
}

// again begins a pass.
func (h *chooser) again() {
	for i := range h.files {
		h.files[i].reset(h.r)
	}
	h.live, h.left, h.inRow, h.file = len(h.files), 0, 0, -1
}

func (f *cursor) reset(r *rand.Rand) {
	f.last, f.begin, f.done = [2]int64{}, [2]int64{}, false
	if f.used != nil {
		f.used.clear()
	}
	if f.order != nil {
		f.order.reset(r)
	}
}

// oneSize reports whether all blocks of a job are of one size.
func (j *job) oneSize() bool { return j.smallest() == j.largest() }

// next is the next operation's file, offset in its region, and length; ok is
// false where the pass has nothing left.
func (h *chooser) next(d int) (file int, off, n int64, ok bool) {
	for h.live > 0 {
		i := h.pick()
		f := &h.files[i]
		if off, n, ok = h.within(i, f, d); ok {
			f.begin[d], f.last[d] = off, off+n
			return i, off, n, true
		}
		f.done = true
		h.live--
		h.left = 0
	}
	return 0, 0, 0, false
}

// pick is the file that is next by file_service_type.
func (h *chooser) pick() int {
	if h.left > 0 && !h.files[h.file].done {
		h.left--
		return h.file
	}
	h.left = h.c.serviceRun - 1
	switch {
	case h.rank != nil:
		h.file = int(h.rank.next(h.r))
	case h.c.service.kind == "sequential":
		h.file = max(h.file, 0)
	default:
		h.file = (h.file + 1) % len(h.files)
	}
	for h.files[h.file].done {
		h.file = (h.file + 1) % len(h.files)
	}
	return h.file
}

// within is the next operation in one file.
func (h *chooser) within(i int, f *cursor, d int) (off, n int64, ok bool) {
	c := h.c
	span := c.regions[i].span
	if !c.random {
		return h.inOrder(f, d, span)
	}
	if h.inRow > 0 {
		h.inRow--
		if c.identical {
			off = f.begin[d]
			n = h.length(d, span-off)
			return off, n, n > 0
		}
		if n = h.length(d, span-f.last[d]); n > 0 {
			return f.last[d], n, true
		}
	} else {
		h.inRow = c.run - 1
		if p := c.percRandom[d]; p < 100 && h.r.IntN(100) >= p {
			if n = h.length(d, span-f.last[d]); n > 0 {
				return f.last[d], n, true
			}
		}
	}
	return h.anywhere(i, f, d, span)
}

// inOrder goes on where the last operation of that direction ended.
func (h *chooser) inOrder(f *cursor, d int, span int64) (off, n int64, ok bool) {
	off = f.last[d]
	if h.inRow > 0 && h.c.identical {
		h.inRow--
		n = h.length(d, span-f.begin[d])
		return f.begin[d], n, n > 0
	}
	h.inRow = h.c.run - 1
	if s := h.c.stride; s != 0 && off > 0 {
		// A step over either end begins at the other one again.
		if off += s; off < 0 {
			off = max(span+s, 0)
		}
		if off+h.c.bs[d].lo > span {
			off = 0
		}
	}
	n = h.length(d, span-off)
	return off, n, n > 0
}

// length draws a size that fits; 0 where none does.
func (h *chooser) length(d int, room int64) int64 {
	b := &h.c.bs[d]
	if room < b.lo {
		return 0
	}
	for range 100 {
		if n := h.size(b); n <= room {
			return n
		}
	}
	return b.lo // next to nothing else fits
}

func (h *chooser) size(b *blocks) int64 {
	if b.lo == b.hi {
		return b.lo
	}
	if b.split != nil {
		at := h.r.Float64() * 100
		for _, s := range b.split {
			if at -= s.percent; at < 0 {
				return s.size
			}
		}
		for i := len(b.split) - 1; ; i-- { // what rounding left
			if b.split[i].percent > 0 {
				return b.split[i].size
			}
		}
	}
	n := b.lo + int64(float64(b.hi)*h.r.Float64())
	if !h.c.unaligned {
		n -= n % b.lo
	}
	return min(n, b.hi)
}

// anywhere is a random place by the job's distribution. Where there is a map,
// each block comes once a pass, and a length ends before a block that was there.
func (h *chooser) anywhere(i int, f *cursor, d int, span int64) (off, n int64, ok bool) {
	c, step := h.c, h.step(d)
	blocks := span / step
	if blocks == 0 {
		return 0, 0, false
	}
	var at int64
	switch c.dist.kind {
	case "zipf", "pareto", "normal":
		at = f.rank[d].next(h.r)
	case "zoned", "zoned_abs":
		at = h.zone(c.dist, d, span) / step
	default:
		at = h.r.Int64N(blocks)
	}
	off = min(at, blocks-1) * step
	if f.order != nil {
		if off, ok = f.order.next(h.r, c.timeBased); !ok {
			return 0, 0, false
		}
		return off * h.unit, h.unit, true
	}
	if f.used != nil {
		if f.used.left == 0 {
			if !c.timeBased {
				return 0, 0, false
			}
			f.used.clear()
		}
		off = f.used.free(off/h.unit) * h.unit
	}
	if n = h.length(d, span-off); n == 0 {
		if f.used != nil { // too little at the end: never again in this pass
			f.used.mark(off/h.unit, 1)
			return h.anywhere(i, f, d, span)
		}
		off = (span - c.bs[d].lo) / step * step
		n = h.length(d, span-off)
	}
	if f.used != nil {
		n = min(n, f.used.mark(off/h.unit, (n+h.unit-1)/h.unit)*h.unit)
	}
	return off, n, n > 0
}

// zone draws a byte of a zoned distribution.
func (h *chooser) zone(c choice, d int, span int64) int64 {
	pick := h.r.Float64() * 100
	var from int64
	zones := c.zones[d]
	for i, z := range zones {
		size := z.bytes
		if c.kind == "zoned" {
			size = int64(z.size / 100 * float64(span))
		}
		if pick -= z.access; pick < 0 || i == len(zones)-1 {
			size = max(min(size, span-from), 1)
			return min(from+h.r.Int64N(size), span-1)
		}
		from = min(from+size, span-1)
	}
	return 0
}
