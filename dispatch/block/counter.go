package block

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
