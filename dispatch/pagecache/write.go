package pagecache

import (
	"slices"

	"hostlock/dispatch"
	"hostlock/dispatch/block"
	"hostlock/machine"
)

var secFlusher = machine.NewSection("wb_writeback")

// Write changes bytes in memory: a page that is changed in part must be there
// first. Above the limit of dirty pages the writer waits
// (balance_dirty_pages).
func (f *File) Write(t *machine.Thread, off int64, n int) error {
	t.Enter(secWrite)
	defer t.Leave()
	first, last := off/block.PageSize, (off+int64(n)-1)/block.PageSize
	for at := first; at <= last; at++ {
		bytes := overlap(at, off, n)
		if err := f.writePage(t, at, bytes); err != nil {
			return err
		}
		f.copy(t, bytes)
		if err := f.balance(t); err != nil {
			return err
		}
	}
	return f.plug.Reap(t)
}

func (f *File) writePage(t *machine.Thread, at int64, bytes int) error {
	for {
		off := f.m.enter(t)
		p := f.m.pages[at]
		if p == nil && bytes == block.PageSize {
			p = f.m.add(f.c, at)
			p.uptodate = true
		}
		if p != nil && p.uptodate && !p.writeback {
			if f.m.dirty[at] == nil {
				f.m.dirty[at] = p
				p.dirtied = t.Now()
				if len(f.m.dirty) == 1 {
					f.m.due.Arm(t, f.c.interval)
				}
			}
			err := f.m.err
			f.m.leave(t, off)
			return err
		}
		if p == nil {
			f.m.leave(t, off)
			if err := f.readPage(t, at, 1); err != nil {
				return err
			}
			continue
		}
		p.waiters = append(p.waiters, &f.wait)
		f.m.leave(t, off)
		f.wait.Wait(t)
	}
}

// balance wakes the flusher where there are too many dirty pages, and waits
// where there are far too many.
func (f *File) balance(t *machine.Thread) error {
	for {
		off := f.m.enter(t)
		n, err := len(f.m.dirty)+f.m.back, f.m.err
		if n <= f.c.limit || err != nil || f.c.sys.Machine().Stopping() {
			// At the end of a run the flusher has nothing more to do, and nobody
			// would be woken.
			f.m.leave(t, off)
			if n > f.c.background {
				f.c.kick(t, f.m)
			}
			return err
		}
		f.m.waiters = append(f.m.waiters, &f.wait)
		f.m.leave(t, off)
		f.c.kick(t, f.m)
		f.wait.Wait(t)
	}
}

// Sync writes all dirty pages of the device and waits for them (fsync), and
// has the device empty its own cache.
func (f *File) Sync(t *machine.Thread) error {
	if err := f.c.write(t, f.m, f.plug, false, func(*page) bool { return true }); err != nil {
		return err
	}
	return f.settle(t)
}

// settle waits for all pages that are on their way to the device, whoever sent
// them.
func (f *File) settle(t *machine.Thread) error {
	for {
		off := f.m.enter(t)
		left, err := f.m.back, f.m.err
		if left == 0 {
			f.m.leave(t, off)
			return err
		}
		f.m.waiters = append(f.m.waiters, &f.wait)
		f.m.leave(t, off)
		f.wait.Wait(t)
	}
}

// Close waits for what the file still has on its way, and for the flusher of
// its device, as the end of a run must. Dirty pages stay dirty.
func (f *File) Close(t *machine.Thread) error {
	if err := f.plug.Wait(t); err != nil {
		return err
	}
	return f.settle(t)
}

// kick wakes the flusher of a device, once.
func (c *Cache) kick(t *machine.Thread, m *mapping) {
	off := m.enter(t)
	woken := m.flushing
	m.flushing = true
	m.leave(t, off)
	if !woken {
		m.wake.Complete(t)
	}
}

// flusher is the thread of one device (flush-8:0): it writes back while there
// is too much, and now and then what has grown old.
func (c *Cache) flusher(t *machine.Thread, m *mapping) {
	plug := block.NewPlug(c.sys, c.sys.NewKernelIssuer(t), c.params)
	for {
		m.wake.Wait(t)
		t.Enter(secFlusher)
		off := m.enter(t)
		m.flushing = false
		many := len(m.dirty) > c.background
		m.leave(t, off)
		now := t.Now()
		_ = c.write(t, m, plug, true, func(p *page) bool { return many || now-p.dirtied >= c.expire })
		off = m.enter(t)
		left := len(m.dirty)
		m.leave(t, off)
		if left > 0 && !c.sys.Machine().Stopping() {
			m.due.Arm(t, c.interval)
		}
		t.Leave()
	}
}

// roundPages bounds what is written before its end is waited for
// (MAX_WRITEBACK_PAGES).
const roundPages = 1024

// write writes the dirty pages that are wanted, neighbours together, and waits
// for them. Errors stay with the mapping, too.
func (c *Cache) write(t *machine.Thread, m *mapping, plug *block.Plug, flusher bool, want func(*page) bool) error {
	memory := block.NewMemory(c.params)
	l := plug.Limits(m.dev)
	for {
		off := m.enter(t)
		var todo []int64
		for i, p := range m.dirty {
			if want(p) {
				todo = append(todo, i)
			}
		}
		if flusher && c.sys.Machine().Stopping() {
			todo = nil
			m.wakeWriters(t)
		}
		slices.Sort(todo)
		todo = todo[:min(len(todo), roundPages)]
		for _, i := range todo {
			m.dirty[i].writeback = true
			delete(m.dirty, i)
			m.clean = append(m.clean, i)
		}
		m.back += len(todo)
		m.leave(t, off)
		if len(todo) == 0 {
			return nil
		}
		var b *block.Bio
		for _, i := range todo {
			t.Work(c.pageCPU)
			v := block.Vec{Addr: memory.Page(), Len: block.PageSize}
			next := b != nil && b.Sector+int64(b.Sectors()) == i*block.PageSectors
			if b != nil && (!next || !b.AddPage(l, v)) {
				plug.Submit(t, b)
				b = nil
			}
			if b == nil {
				b = &block.Bio{}
				b.Reset(dispatch.Write, m.dev, i*block.PageSectors)
				done := b
				b.End = func(t *machine.Thread, err error) { m.ended(t, done, err) }
				b.AddPage(l, v)
			}
			b.Pages = append(b.Pages, i)
		}
		plug.Submit(t, b)
		flown := plug.Flown()
		plug.Flush(t)
		if n := plug.Flown().Minus(flown); flusher && m.dev.Host.InWindow() {
			c.flushed.requests.Add(n.Requests)
			c.flushed.segments.Add(n.Segments)
		}
		if err := plug.Wait(t); err != nil {
			return err
		}
	}
}
