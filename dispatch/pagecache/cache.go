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

// wakeAll wakes who waits for a page.
func (p *page) wakeAll(t *machine.Thread) {
	for _, w := range p.waiters {
		w.Complete(t)
	}
	p.waiters = p.waiters[:0]
}
