package pagecache

import (
	"strconv"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/block"
	"hostlock/machine"
	"hostlock/machine/param"
)

// Cache is the pages of all devices of a system.
type Cache struct {
	sys        *dispatch.System
	params     *param.Set
	most       int // pages a device
	readAhead  int // pages
	background int // dirty pages a device
	limit      int
	interval   time.Duration
	expire     time.Duration
	pageCPU    time.Duration
	copyKiB    time.Duration
	maps       []mapping
	flushed    struct{ requests, segments atomic.Int64 } // by flushers, in the window
}

// Flushed is what the flushers, and nobody's own thread, handed to the devices
// within the measured window.
func (c *Cache) Flushed() (requests, segments int64) {
	return c.flushed.requests.Load(), c.flushed.segments.Load()
}

// mapping is the pages of one device (struct address_space).
type mapping struct {
	_        [64]byte
	lock     machine.SpinLock // tree_lock
	line     *machine.Line    // of what follows
	pages    map[int64]*page
	clean    []int64 // in the order in which they came in; some are gone
	dirty    map[int64]*page
	back     int // pages on their way to the device
	err      error
	waiters  []*machine.Completion // for fewer dirty pages, or for none
	wake     machine.Completion    // of the flusher
	due      machine.Timer
	flushing bool // the flusher was woken and has not begun
	dev      *dispatch.Device
	_        [64]byte
}

// page is one page and what it is at.
type page struct {
	uptodate  bool
	reading   bool
	marked    bool // PG_readahead: reading it starts the next window
	writeback bool
	dirtied   time.Duration
	waiters   []*machine.Completion
}

// New makes the cache of a system, with a flusher thread for each device, and
// must be called before the machine runs.
func New(sys *dispatch.System, p *param.Set) *Cache {
	most := max(int(p.Bytes("cache.size"))/block.PageSize/max(len(sys.Devices()), 1), 16)
	c := &Cache{
		sys: sys, params: p, most: most,
		readAhead:  int(p.Bytes("cache.read_ahead")) / block.PageSize,
		background: int(p.Float("cache.background_ratio") / 100 * float64(most)),
		limit:      max(int(p.Float("cache.dirty_ratio")/100*float64(most)), 1),
		interval:   p.Duration("cache.writeback_interval"), expire: p.Duration("cache.dirty_expire"),
		pageCPU: p.Duration("cache.page_cpu"), copyKiB: p.Duration("cache.copy"),
		maps: make([]mapping, len(sys.Devices())),
	}
	if c.background >= c.limit {
		c.background = c.limit / 2 // as get_dirty_limits does
	}
	m := sys.Machine()
	for i, d := range sys.Devices() {
		mp := &c.maps[i]
		mp.lock.Init(m, "tree_lock")
		mp.line = machine.NewLine("address_space")
		mp.pages, mp.dirty = map[int64]*page{}, map[int64]*page{}
		mp.dev = d
		mp.wake.Init()
		mp.due.Init(m, "wb_timer", machine.Soft, func(t *machine.Thread) { c.kick(t, mp) })
		m.Go("flush/"+strconv.Itoa(i), i%m.Cores(), true, func(t *machine.Thread) { c.flusher(t, mp) })
	}
	return c
}

// enter takes the mapping's lock with interrupts off, since completions take
// it in the softirq; leave gives it back.
func (m *mapping) enter(t *machine.Thread) bool {
	off := t.IRQSave()
	m.lock.Lock(t)
	t.Touch(m.line)
	return off
}

func (m *mapping) leave(t *machine.Thread, off bool) {
	m.lock.Unlock(t)
	t.IRQRestore(off)
}

// The rest is called with the lock held.

// add puts a new page in, and lets go of the oldest clean one where there is
// no room.
func (m *mapping) add(c *Cache, index int64) *page {
	for tries := len(m.clean); len(m.pages) >= c.most && tries > 0; tries-- {
		old := m.clean[0]
		m.clean = m.clean[1:]
		switch p := m.pages[old]; {
		case p == nil || m.dirty[old] != nil: // gone, or to come in again once it is written
		case p.idle():
			delete(m.pages, old)
		default:
			m.clean = append(m.clean, old)
		}
	}
	p := &page{}
	m.pages[index] = p
	m.clean = append(m.clean, index)
	return p
}

func (p *page) idle() bool { return !p.reading && !p.writeback && len(p.waiters) == 0 }

// wakeWriters wakes who waits for fewer dirty pages, or for none.
func (m *mapping) wakeWriters(t *machine.Thread) {
	for _, w := range m.waiters {
		w.Complete(t)
	}
	m.waiters = m.waiters[:0]
}

// wakeAll wakes who waits for a page.
func (p *page) wakeAll(t *machine.Thread) {
	for _, w := range p.waiters {
		w.Complete(t)
	}
	p.waiters = p.waiters[:0]
}

// Params declares what the cache depends on; block.Params must be declared
// beside it.
func Params() []param.Spec {
	return []param.Spec{
		{Name: "cache.size", Kind: param.Bytes, Default: "256m", Min: 1 << 20, Max: 1 << 40, About: "memory that may hold pages", Source: "a choice: smaller than what a test reads, as a test should be"},
		{Name: "cache.read_ahead", Kind: param.Bytes, Default: "128k", Max: 64 << 20, About: "largest read-ahead window (read_ahead_kb); 0 reads what is asked for", Source: "VM_MAX_READAHEAD 128 [K]"},
		{Name: "cache.background_ratio", Kind: param.Float, Default: "10", Max: 100, Unit: "%", About: "share of the cache that may be dirty before the flusher begins", Source: "dirty_background_ratio 10 [K]"},
		{Name: "cache.dirty_ratio", Kind: param.Float, Default: "20", Max: 100, Unit: "%", About: "share that may be dirty before a writer has to wait", Source: "dirty_ratio 20 since 2.6.30 [K]"},
		{Name: "cache.writeback_interval", Kind: param.Duration, Default: "5s", Min: 1e6, Max: 3.6e12, About: "how often the flusher looks for old pages", Source: "dirty_writeback_centisecs 500 [K]"},
		{Name: "cache.dirty_expire", Kind: param.Duration, Default: "30s", Max: 3.6e12, About: "age at which a dirty page is written back whatever their number", Source: "dirty_expire_centisecs 3000 [K]"},
		{Name: "cache.page_cpu", Kind: param.Duration, Default: "300ns", About: "processor time to find a page, and to allocate or free one", Source: "assumed: a radix-tree walk; no source gives it"},
		{Name: "cache.copy", Kind: param.Duration, Default: "250ns", About: "processor time to copy 1 KiB between a page and the program", Source: "4 GB/s, a memcpy of 2010 [K]"},
	}
}

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
