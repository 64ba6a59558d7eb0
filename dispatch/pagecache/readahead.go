package pagecache

// window is what a reader has ahead of it (struct file_ra_state): the last
// pages that were read together, and how many of them lie behind the mark.
type window struct {
	start int64
	size  int
	async int // pages behind the mark
	max   int
	prev  int64 // page that was read last, -1 before any
}

// next decides what to read where page at, of a read of want pages, is missing
// (hit is false) or carries the mark (hit is true): the on-demand read-ahead of
// 2.6.23 and later. It reports false for a random read, which is read as it
// is.
func (w *window) next(at int64, want int, hit bool) bool {
	switch {
	case w.size > 0 && (at == w.start+int64(w.size-w.async) || at == w.start+int64(w.size)):
		// Where it was expected: push the window on, and let it grow.
		w.start += int64(w.size)
		w.size = grown(w.size, w.max)
		w.async = w.size
	case hit:
		// The mark of another reader, or of an earlier window: begin behind it.
		w.start = at + 1
		w.size = grown(want, w.max)
		w.async = w.size
	case at == 0 || want > w.max || at-w.prev <= 1 && at >= w.prev:
		w.start = at
		w.size = initial(want, w.max)
		w.async = w.size
		if w.size > want {
			w.async = w.size - want
		}
	default:
		return false
	}
	// A window that begins where its own mark would be: take the next one along.
	if at == w.start && w.size == w.async {
		w.async = grown(w.size, w.max)
		w.size += w.async
	}
	return true
}

// initial is the size of a first window (get_init_ra_size), in pages.
func initial(want, most int) int {
	n := 1
	for n < want {
		n *= 2
	}
	switch {
	case n <= most/32:
		return n * 4
	case n <= most/4:
		return n * 2
	}
	return most
}

// grown is the size of the next one (get_next_ra_size).
func grown(size, most int) int {
	if size < most/16 {
		return min(4*size, most)
	}
	return min(2*size, most)
}
